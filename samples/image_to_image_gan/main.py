import argparse

from model import GAN
import tensorflow as tf


def parse_args():
    parser = argparse.ArgumentParser(description="Image-to-image translation with a GAN")
    parser.add_argument('--iteration', type=int, default=6, help='The number of training iterations')
    parser.add_argument('--batch_size', type=int, default=4, help='The size of batch')
    parser.add_argument('--img_size', type=int, default=8, help='The size of image')
    parser.add_argument('--ch', type=int, default=4, help='base channel number per layer')
    parser.add_argument('--n_critic', type=int, default=2, help='The number of critic steps for each generator step')
    parser.add_argument('--lr', type=float, default=0.002, help='The learning rate')
    parser.add_argument('--rec_weight', type=float, default=10.0, help='Weight of the reconstruction loss')
    parser.add_argument('--checkpoint_dir', type=str, default='checkpoint', help='Directory name of checkpoints')
    return parser.parse_args()


def main():
    args = parse_args()
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
        gan = GAN(sess, args)
        gan.build_model()
        gan.train()
        translated = gan.test()
        print(" [*] Test finished! mean %.4f, deviation %.4f" % (translated.mean(), translated.std()))


if __name__ == '__main__':
    main()
