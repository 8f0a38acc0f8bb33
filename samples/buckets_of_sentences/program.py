"""Learns to translate sentences, bucket by bucket, and translates some."""
import os
import tempfile

import numpy as np
import tensorflow as tf

import sentences
from model import Translator

BATCH, STEPS = 6, 24


def create_model(session, folder, forward_only):
    model = Translator(units=8, rate=0.8, decay=0.7, forward_only=forward_only)
    kept = tf.train.get_checkpoint_state(folder)
    if kept and tf.train.checkpoint_exists(kept.model_checkpoint_path):
        print('reading', os.path.basename(kept.model_checkpoint_path))
        model.saver.restore(session, kept.model_checkpoint_path)
    else:
        session.run(tf.global_variables_initializer())
    return model


def train(folder):
    learned, unseen = sentences.corpus(60, seed=1), sentences.corpus(12, seed=2)
    chance, losses = np.random.RandomState(3), []
    with tf.Graph().as_default(), tf.Session() as session:
        model = create_model(session, folder, False)
        for turn in range(1, STEPS + 1):
            bucket = int(chance.uniform() > len(learned[0]) / 60.0)
            pairs = [learned[bucket][i] for i in chance.randint(0, len(learned[bucket]), BATCH)]
            norm, loss, _ = model.step(session, *sentences.batch(pairs, bucket), bucket, False)
            losses.append(loss)
            if turn % 6 == 0:
                step, rate = session.run([model.global_step, model.learning_rate])
                print('step %d rate %.4f bucket %d norm %.5f loss %.5f' % (step, rate, bucket, norm, loss))
                if len(losses) > 6 and np.mean(losses[-6:]) > 0.95 * np.mean(losses[-12:-6]):
                    session.run(model.learning_rate_decay_op)
                model.saver.save(session, os.path.join(folder, 'translate'), global_step=step)
                for number, others in enumerate(unseen):
                    _, loss, _ = model.step(session, *sentences.batch(others, number), number, True)
                    print('  unseen, bucket %d: %.5f' % (number, loss))


def decode(folder):
    with tf.Graph().as_default(), tf.Session() as session:
        model = create_model(session, folder, True)
        for number, pairs in enumerate(sentences.corpus(8, seed=2)):
            _, loss, outputs = model.step(session, *sentences.batch(pairs, number), number, True)
            said = np.argmax(outputs, axis=2).T
            for (source, _), words in zip(pairs, said):
                print(number, '%.5f' % loss, source, 'is', list(words))


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        train(folder)
        decode(folder)
