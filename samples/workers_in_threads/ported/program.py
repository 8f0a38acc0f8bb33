"""Workers learn to walk, each in a thread with a network of its own, and share what they learn (A3C)."""
import os
import tempfile
import threading

import numpy as np
import tensorflow as tf
import compat

from network import Network, copy_weights
from walk import Turns, Walk

WORKERS, EPISODES, LENGTH, GAMMA = 3, 4, 12, 0.9


class Worker(object):
    @compat.builder
    def __init__(self, number, trainer, episodes):
        self.number, self.walk, self.chance = number, Walk(number), np.random.RandomState(50 + number)
        self.count_step = compat.step(episodes.assign_add(1))
        self.network = Network('worker_%d' % number, trainer)
        self.copy_step = compat.step(updates=copy_weights('global', 'worker_%d' % number))

    def work(self, coordinator, turns, board):
        for _ in range(EPISODES):
            with turns.of(self.number):
                self.copy_step()
                losses, reward = self.episode()
                done = self.count_step()
                print('episode %d of worker %d: reward %.1f, losses %.5f %.5f, norm %.5f' % (
                    (done, self.number, reward) + tuple(losses)))
                summary = compat.Summary()
                summary.value.add(tag='reward', simple_value=reward)
                board.add_summary(summary, done)
            if coordinator.should_stop():
                return

    def episode(self):
        net, seen, past = self.network, self.walk.reset(), []
        for _ in range(LENGTH):
            policy, value = net.act_step([seen])
            action = int(self.chance.uniform() < policy[0, 1])
            after, reward, over = self.walk.step(action)
            past.append((seen, action, reward, value[0]))
            seen = after
            if over:
                break
        last = 0.0 if over else net.value_step([seen])[0]
        returns = []
        for _, _, reward, _ in reversed(past):
            last = reward + GAMMA * last
            returns.insert(0, last)
        places, actions, rewards, values = zip(*past)
        feed = {net.seen: places, net.taken: actions, net.returns: returns,
                net.advantages: np.array(returns) - np.array(values)}
        return net.learn_step(feed), sum(rewards)


def show(network):
    for place, policy in enumerate(network.policy_step(np.eye(Walk.size))):
        print('at %d it goes right in %.5f' % (place, policy[1]))


def main():
    with compat.VariableStore():
        with compat.building():
            episodes = compat.Variable(0, trainable=False, name='episodes')
            network = Network('global')
            trainer = compat.train.RMSPropOptimizer(0.02, decay=0.9)
            workers = [Worker(number, trainer, episodes) for number in range(WORKERS)]
            saver = compat.train.Saver(max_to_keep=1)
        with tempfile.TemporaryDirectory() as folder:
            coordinator, turns = tf.train.Coordinator(), Turns(WORKERS)
            board = compat.summary.FileWriter(folder)
            show(network)
            threads = [threading.Thread(target=worker.work, args=(coordinator, turns, board)) for worker in workers]
            for thread in threads:
                thread.start()
            coordinator.join(threads)
            board.close()
            path = saver.save(os.path.join(folder, 'walk'), global_step=episodes)
            print(os.path.basename(path), len(tf.train.list_variables(path)), 'variables')
            show(network)


if __name__ == '__main__':
    main()
