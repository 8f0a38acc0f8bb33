"""A translator: one cell reads a sentence, another one writes, with the loss of each size of sentences (a bucket)."""
import numpy as np
import tensorflow as tf

from sentences import BUCKETS, WORDS


def waves(shape, dtype=None, partition_info=None):
    return tf.constant(np.cos(np.arange(np.prod(shape)) * 1.3).reshape(shape) * 0.4, dtype)


class Translator(object):
    def __init__(self, units, rate, decay, forward_only=False):
        self.learning_rate = tf.Variable(float(rate), trainable=False)
        self.learning_rate_decay_op = self.learning_rate.assign(self.learning_rate * decay)
        self.global_step = tf.Variable(0, trainable=False)
        longest = BUCKETS[-1]
        self.encoder_inputs = [tf.placeholder(tf.int32, [None], 'encoder%d' % i) for i in range(longest[0])]
        self.decoder_inputs = [tf.placeholder(tf.int32, [None], 'decoder%d' % i) for i in range(longest[1] + 1)]
        self.target_weights = [tf.placeholder(tf.float32, [None], 'weight%d' % i) for i in range(longest[1])]
        targets = self.decoder_inputs[1:]

        self.outputs, self.losses = [], []
        for number, (size, room) in enumerate(BUCKETS):
            with tf.variable_scope(tf.get_variable_scope(), reuse=number > 0, initializer=waves):
                outputs = self.translate(self.encoder_inputs[:size], self.decoder_inputs[:room], units, forward_only)
                self.outputs.append(outputs)
                self.losses.append(self.loss(outputs, targets[:room], self.target_weights[:room]))

        if not forward_only:
            params = tf.trainable_variables()
            self.gradient_norms, self.updates = [], []
            opt = tf.train.GradientDescentOptimizer(self.learning_rate)
            for loss in self.losses:
                clipped, norm = tf.clip_by_global_norm(tf.gradients(loss, params), 1.5)
                self.gradient_norms.append(norm)
                self.updates.append(opt.apply_gradients(zip(clipped, params), global_step=self.global_step))
        self.saver = tf.train.Saver(tf.global_variables(), max_to_keep=2)

    def translate(self, sources, targets, units, greedy):
        embedding = tf.get_variable('embedding', [WORDS, units])
        projection = tf.get_variable('projection', [units, WORDS])
        with tf.variable_scope('reader'):
            words = [tf.nn.embedding_lookup(embedding, each) for each in sources]
            read, state = tf.nn.static_rnn(tf.nn.rnn_cell.GRUCell(units), words, dtype=tf.float32)
        memory = tf.stack(read, axis=1)
        outputs, cell = [], tf.nn.rnn_cell.GRUCell(units)
        with tf.variable_scope('writer') as scope:
            for place, word in enumerate(targets):
                if place > 0:
                    scope.reuse_variables()
                if greedy and place > 0:
                    word = tf.argmax(outputs[-1], 1, output_type=tf.int32)
                state, _ = cell(tf.nn.embedding_lookup(embedding, word), state)
                look = tf.nn.softmax(tf.reduce_sum(memory * tf.expand_dims(state, 1), 2))
                seen = tf.reduce_sum(memory * tf.expand_dims(look, 2), 1)
                outputs.append(tf.matmul(state + seen, projection))
        return outputs

    def loss(self, outputs, targets, weights):
        costs = [weight * tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=output)
                 for output, target, weight in zip(outputs, targets, weights)]
        return tf.reduce_sum(tf.add_n(costs)) / tf.reduce_sum(tf.add_n(weights))

    def step(self, session, encoder_inputs, decoder_inputs, target_weights, bucket_id, forward_only):
        """Runs one batch: its norm and loss where it learns, else its loss and what it says."""
        feed = {}
        for given, inputs in ((encoder_inputs, self.encoder_inputs), (decoder_inputs, self.decoder_inputs),
                              (target_weights, self.target_weights)):
            for place, words in enumerate(given):
                feed[inputs[place].name] = words
        if forward_only:
            outputs = session.run([self.losses[bucket_id]] + self.outputs[bucket_id], feed)
            return None, outputs[0], outputs[1:]
        outputs = session.run([self.updates[bucket_id], self.gradient_norms[bucket_id], self.losses[bucket_id]], feed)
        return outputs[1], outputs[2], None
