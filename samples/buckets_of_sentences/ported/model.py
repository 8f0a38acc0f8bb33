"""A translator: one cell reads a sentence, another one writes, with the loss of each size of sentences (a bucket)."""
import numpy as np
import tensorflow as tf
import compat

from sentences import BUCKETS, WORDS


def waves(shape, dtype=None, partition_info=None):
    return tf.constant(np.cos(np.arange(np.prod(shape)) * 1.3).reshape(shape) * 0.4, dtype)


class Translator(object):
    @compat.builder
    def __init__(self, units, rate, decay, forward_only=False):
        self.learning_rate = compat.Variable(float(rate), trainable=False)
        self.decay_step = compat.step(self.learning_rate.assign(self.learning_rate * decay))
        self.global_step = compat.Variable(0, trainable=False)
        self.progress_step = compat.step([self.global_step, self.learning_rate])
        longest = BUCKETS[-1]
        self.encoder_inputs = [compat.Input(tf.int32, [None], 'encoder%d' % i) for i in range(longest[0])]
        self.decoder_inputs = [compat.Input(tf.int32, [None], 'decoder%d' % i) for i in range(longest[1] + 1)]
        self.target_weights = [compat.Input(tf.float32, [None], 'weight%d' % i) for i in range(longest[1])]
        targets = self.decoder_inputs[1:]

        self.outputs, self.losses, self.say_steps = [], [], []
        for number, (size, room) in enumerate(BUCKETS):
            with compat.variable_scope(compat.get_variable_scope(), reuse=number > 0, initializer=waves):
                outputs = self.translate(self.encoder_inputs[:size], self.decoder_inputs[:room], units, forward_only)
                self.outputs.append(outputs)
                self.losses.append(self.loss(outputs, targets[:room], self.target_weights[:room]))
            self.say_steps.append(compat.step([self.losses[-1], *outputs], *self.inputs(number)))

        if not forward_only:
            params = compat.trainable_variables()
            self.learn_steps = []
            opt = compat.train.GradientDescentOptimizer(self.learning_rate)
            for number, loss in enumerate(self.losses):
                clipped, norm = tf.clip_by_global_norm(tf.gradients(loss, params), 1.5)
                update = opt.apply_gradients(zip(clipped, params), global_step=self.global_step)
                self.learn_steps.append(compat.step([norm, loss], *self.inputs(number), updates=update))
        self.saver = compat.train.Saver(compat.global_variables(), max_to_keep=2)

    def inputs(self, bucket_id):
        """What the steps of a bucket take: three lists."""
        size, room = BUCKETS[bucket_id]
        return self.encoder_inputs[:size], self.decoder_inputs[:room + 1], self.target_weights[:room]

    def translate(self, sources, targets, units, greedy):
        embedding = compat.get_variable('embedding', [WORDS, units])
        projection = compat.get_variable('projection', [units, WORDS])
        with compat.variable_scope('reader'):
            words = [tf.nn.embedding_lookup(embedding, each) for each in sources]
            read, state = compat.nn.static_rnn(compat.nn.rnn_cell.GRUCell(units), words, dtype=tf.float32)
        memory = tf.stack(read, axis=1)
        outputs, cell = [], compat.nn.rnn_cell.GRUCell(units)
        with compat.variable_scope('writer') as scope:
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

    def step(self, encoder_inputs, decoder_inputs, target_weights, bucket_id, forward_only):
        """Runs one batch: its norm and loss where it learns, else its loss and what it says."""
        if forward_only:
            outputs = self.say_steps[bucket_id](encoder_inputs, decoder_inputs, target_weights)
            return None, outputs[0], outputs[1:]
        norm, loss = self.learn_steps[bucket_id](encoder_inputs, decoder_inputs, target_weights)
        return norm, loss, None
