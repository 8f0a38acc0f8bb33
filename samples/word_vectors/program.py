"""Skip-gram word vectors of a small made-up language: noise-contrastive estimation, then a sampled softmax."""

import collections

import numpy as np
import tensorflow as tf

vocabulary_size = 40
embedding_size = 8
batch_size = 16
num_sampled = 6
skip_window = 1


def make_text(length):
    """Words in themes of ten: a word is mostly followed by one of its own theme."""
    random = np.random.RandomState(5)
    words, theme = [], 0
    for _ in range(length):
        if random.rand() < 0.1:
            theme = random.randint(4)
        words.append("word%d" % (10 * theme + random.randint(10)))
    return words


def build_dataset(words):
    count = collections.Counter(words).most_common(vocabulary_size)
    dictionary = {word: index for index, (word, _) in enumerate(count)}
    return [dictionary[word] for word in words], dictionary


words = make_text(400)
data, dictionary = build_dataset(words)
reverse_dictionary = dict(zip(dictionary.values(), dictionary.keys()))
data_index = 0


def generate_batch():
    global data_index
    batch = np.ndarray(shape=(batch_size), dtype=np.int32)
    labels = np.ndarray(shape=(batch_size, 1), dtype=np.int32)
    for i in range(batch_size // 2):
        position = skip_window + data_index
        batch[2 * i:2 * i + 2] = data[position]
        labels[2 * i, 0] = data[position - 1]
        labels[2 * i + 1, 0] = data[position + 1]
        data_index = (data_index + 1) % (len(data) - 2 * skip_window)
    return batch, labels


graph = tf.Graph()

with graph.as_default():
    with tf.name_scope('inputs'):
        train_inputs = tf.placeholder(tf.int32, shape=[batch_size])
        train_labels = tf.placeholder(tf.int32, shape=[batch_size, 1])
        valid_dataset = tf.constant([0, 1, 2, 3], dtype=tf.int32)

    with tf.name_scope('embeddings'):
        embeddings = tf.Variable(tf.random_uniform([vocabulary_size, embedding_size], -1.0, 1.0))
        embed = tf.nn.embedding_lookup(embeddings, train_inputs)

    with tf.name_scope('weights'):
        nce_weights = tf.Variable(
            tf.truncated_normal([vocabulary_size, embedding_size], stddev=1.0 / np.sqrt(embedding_size)))
    with tf.name_scope('biases'):
        nce_biases = tf.Variable(tf.zeros([vocabulary_size]))

    with tf.name_scope('loss'):
        loss = tf.reduce_mean(
            tf.nn.nce_loss(
                weights=nce_weights,
                biases=nce_biases,
                labels=train_labels,
                inputs=embed,
                num_sampled=num_sampled,
                num_classes=vocabulary_size))
        softmax_loss = tf.reduce_mean(
            tf.nn.sampled_softmax_loss(nce_weights, nce_biases, train_labels, embed, num_sampled, vocabulary_size))

    with tf.name_scope('optimizer'):
        optimizer = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
        fine_tuning = tf.train.AdagradOptimizer(0.1).minimize(softmax_loss)

    # Cosine similarity between the validation words and all embeddings.
    norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keep_dims=True))
    normalized_embeddings = embeddings / norm
    valid_embeddings = tf.nn.embedding_lookup(normalized_embeddings, valid_dataset)
    similarity = tf.matmul(valid_embeddings, normalized_embeddings, transpose_b=True)

    init = tf.global_variables_initializer()

with tf.Session(graph=graph) as session:
    init.run()

    average_loss = 0
    for step in range(1, 31):
        batch_inputs, batch_labels = generate_batch()
        feed_dict = {train_inputs: batch_inputs, train_labels: batch_labels}
        _, loss_val = session.run([optimizer, loss], feed_dict=feed_dict)
        average_loss += loss_val
        if step % 10 == 0:
            print('Average loss at step %d: %.5f' % (step, average_loss / 10))
            average_loss = 0

    for _ in range(10):
        batch_inputs, batch_labels = generate_batch()
        _, loss_val = session.run([fine_tuning, softmax_loss], {train_inputs: batch_inputs, train_labels: batch_labels})
    print('Sampled softmax: %.5f' % loss_val)

    sim = similarity.eval()
    for i in range(4):
        nearest = (-sim[i, :]).argsort()[1:4]
        print('Nearest to %s: %s' % (reverse_dictionary[i], ', '.join(reverse_dictionary[k] for k in nearest)))
    final_embeddings = normalized_embeddings.eval()
