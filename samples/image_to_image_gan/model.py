import os

import numpy as np
import tensorflow as tf

from data import make_dataset, make_domain
from ops import *


class GAN(object):
    """Translates images of domain A to domain B: WGAN-GP with a reconstruction loss."""

    def __init__(self, sess, args):
        self.sess = sess
        self.checkpoint_dir = args.checkpoint_dir
        self.iteration = args.iteration
        self.batch_size = args.batch_size
        self.img_size = args.img_size
        self.img_ch = 3
        self.ch = args.ch
        self.lr = args.lr
        self.n_critic = args.n_critic
        self.adv_weight = 1.0
        self.rec_weight = args.rec_weight
        self.gp_weight = 10.0

    def generator(self, x_init, reuse=False, scope='generator'):
        channel = self.ch
        with tf.variable_scope(scope, reuse=reuse):
            x = conv(x_init, channel, use_bias=False, scope='conv')
            x = instance_norm(x, scope='ins_norm')
            x = relu(x)

            x = conv(x, channel * 2, stride=2, use_bias=False, scope='conv_down')
            x = relu(instance_norm(x, scope='ins_norm_down'))

            for i in range(2):
                x = resblock(x, channel * 2, scope='resblock_' + str(i))

            x = deconv(x, channel, use_bias=False, scope='deconv_up')
            x = relu(instance_norm(x, scope='ins_norm_up'))
            x = conv(x, self.img_ch, scope='G_logit')
            return tanh(x)

    def discriminator(self, x_init, reuse=False, scope='discriminator'):
        channel = self.ch
        with tf.variable_scope(scope, reuse=reuse):
            x = lrelu(conv(x_init, channel, stride=2, scope='conv_0'))
            x = lrelu(conv(x, channel * 2, stride=2, scope='conv_1'))
            x = tf.layers.flatten(x)
            return tf.layers.dense(x, 1, kernel_initializer=weight_init, name='D_logit')

    def gradient_penalty(self, real, fake, scope='discriminator'):
        alpha = tf.random_uniform(shape=[self.batch_size, 1, 1, 1], minval=0., maxval=1.)
        interpolated = real + alpha * (fake - real)
        logit = self.discriminator(interpolated, reuse=True, scope=scope)
        grad = tf.gradients(logit, interpolated)[0]
        grad_norm = tf.norm(tf.layers.flatten(grad), axis=1)
        return self.gp_weight * tf.reduce_mean(tf.square(grad_norm - 1.))

    def build_model(self):
        self.lr_placeholder = tf.placeholder(tf.float32, name='learning_rate')

        """ Input images """
        train_a = make_dataset(make_domain('A', 12, self.img_size, seed=0), self.batch_size)
        train_b = make_dataset(make_domain('B', 12, self.img_size, seed=1), self.batch_size)
        self.domain_A = train_a.make_one_shot_iterator().get_next()
        self.domain_B = train_b.make_one_shot_iterator().get_next()

        """ Generator and discriminator """
        self.fake_B = self.generator(self.domain_A)
        real_logit = self.discriminator(self.domain_B)
        fake_logit = self.discriminator(self.fake_B, reuse=True)
        gp = self.gradient_penalty(self.domain_B, self.fake_B)

        """ Losses """
        reconstruction = L1_loss(self.fake_B, self.domain_A)
        self.g_loss = self.adv_weight * generator_loss(fake_logit) + self.rec_weight * reconstruction
        self.g_loss += regularization_loss('generator')
        self.d_loss = self.adv_weight * discriminator_loss(real_logit, fake_logit) + gp
        self.d_loss += regularization_loss('discriminator')

        """ Training """
        t_vars = tf.trainable_variables()
        G_vars = [var for var in t_vars if 'generator' in var.name]
        D_vars = [var for var in t_vars if 'discriminator' in var.name]
        self.G_optim = tf.train.AdamOptimizer(self.lr_placeholder, beta1=0.5, beta2=0.9).minimize(
            self.g_loss, var_list=G_vars)
        self.D_optim = tf.train.AdamOptimizer(self.lr_placeholder, beta1=0.5, beta2=0.9).minimize(
            self.d_loss, var_list=D_vars)

        """ Test """
        self.test_domain_A = tf.placeholder(
            tf.float32, [None, self.img_size, self.img_size, self.img_ch], name='test_domain_A')
        self.test_fake_B = self.generator(self.test_domain_A, reuse=True)

    def train(self):
        tf.global_variables_initializer().run()
        self.saver = tf.train.Saver(max_to_keep=2)

        lr = self.lr
        for idx in range(self.iteration):
            if idx >= self.iteration // 2:
                lr = self.lr * (self.iteration - idx) / (self.iteration // 2)
            feed = {self.lr_placeholder: lr}
            _, d_loss = self.sess.run([self.D_optim, self.d_loss], feed_dict=feed)
            if (idx + 1) % self.n_critic == 0:
                fake, _, g_loss = self.sess.run([self.fake_B, self.G_optim, self.g_loss], feed_dict=feed)
                print("[%2d/%2d] d_loss: %.6f, g_loss: %.6f, mean: %.4f" % (
                    idx + 1, self.iteration, d_loss, g_loss, np.mean(fake)))
        self.save(self.checkpoint_dir, self.iteration)

    def save(self, checkpoint_dir, step):
        if not os.path.exists(checkpoint_dir):
            os.makedirs(checkpoint_dir)
        self.saver.save(self.sess, os.path.join(checkpoint_dir, 'GAN.model'), global_step=step)

    def load(self, checkpoint_dir):
        ckpt = tf.train.get_checkpoint_state(checkpoint_dir)
        if ckpt and ckpt.model_checkpoint_path:
            ckpt_name = os.path.basename(ckpt.model_checkpoint_path)
            self.saver.restore(self.sess, os.path.join(checkpoint_dir, ckpt_name))
            counter = int(ckpt_name.split('-')[-1])
            print(" [*] Success to read {}".format(ckpt_name))
            return True, counter
        print(" [*] Failed to find a checkpoint")
        return False, 0

    def test(self):
        tf.global_variables_initializer().run()
        self.saver = tf.train.Saver()
        could_load, _ = self.load(self.checkpoint_dir)
        assert could_load
        images = make_domain('A', 3, self.img_size, seed=2) / 127.5 - 1.0
        return self.sess.run(self.test_fake_B, feed_dict={self.test_domain_A: images})
