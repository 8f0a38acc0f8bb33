"""Workers learn to walk, each in a thread with a network of its own, and share what they learn (A3C)."""
import os
import tempfile
import threading

import numpy as np
import tensorflow as tf

from network import Network, copy_weights
from walk import Turns, Walk

WORKERS, EPISODES, LENGTH, GAMMA = 3, 4, 12, 0.9


class Worker(object):
    def __init__(self, number, trainer, episodes):
        self.number, self.walk, self.chance = number, Walk(number), np.random.RandomState(50 + number)
        self.count = episodes.assign_add(1)
        self.network = Network('worker_%d' % number, trainer)
        self.copy = copy_weights('global', 'worker_%d' % number)

    def work(self, session, coordinator, turns, board):
        with session.as_default(), session.graph.as_default():
            for _ in range(EPISODES):
                with turns.of(self.number):
                    session.run(self.copy)
                    losses, reward = self.episode(session)
                    done = session.run(self.count)
                    print('episode %d of worker %d: reward %.1f, losses %.5f %.5f, norm %.5f' % (
                        (done, self.number, reward) + tuple(losses)))
                    summary = tf.Summary()
                    summary.value.add(tag='reward', simple_value=reward)
                    board.add_summary(summary, done)
                if coordinator.should_stop():
                    return

    def episode(self, session):
        net, seen, past = self.network, self.walk.reset(), []
        for _ in range(LENGTH):
            policy, value = session.run([net.policy, net.value], {net.seen: [seen]})
            action = int(self.chance.uniform() < policy[0, 1])
            after, reward, over = self.walk.step(action)
            past.append((seen, action, reward, value[0]))
            seen = after
            if over:
                break
        last = 0.0 if over else net.value.eval({net.seen: [seen]})[0]
        returns = []
        for _, _, reward, _ in reversed(past):
            last = reward + GAMMA * last
            returns.insert(0, last)
        places, actions, rewards, values = zip(*past)
        feed = {net.seen: places, net.taken: actions, net.returns: returns,
                net.advantages: np.array(returns) - np.array(values)}
        losses = session.run([net.value_loss, net.policy_loss, net.norm, net.learn], feed)[:3]
        return losses, sum(rewards)


def show(session, network):
    for place, policy in enumerate(session.run(network.policy, {network.seen: np.eye(Walk.size)})):
        print('at %d it goes right in %.5f' % (place, policy[1]))


def main():
    tf.reset_default_graph()
    episodes = tf.Variable(0, trainable=False, name='episodes')
    network = Network('global')
    trainer = tf.train.RMSPropOptimizer(0.02, decay=0.9)
    workers = [Worker(number, trainer, episodes) for number in range(WORKERS)]
    saver = tf.train.Saver(max_to_keep=1)
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        coordinator, turns = tf.train.Coordinator(), Turns(WORKERS)
        board = tf.summary.FileWriter(folder)
        session.run(tf.global_variables_initializer())
        show(session, network)
        threads = [threading.Thread(target=worker.work, args=(session, coordinator, turns, board)) for worker in workers]
        for thread in threads:
            thread.start()
        coordinator.join(threads)
        board.close()
        path = saver.save(session, os.path.join(folder, 'walk'), episodes)
        print(os.path.basename(path), len(tf.train.list_variables(path)), 'variables')
        show(session, network)


if __name__ == '__main__':
    main()
