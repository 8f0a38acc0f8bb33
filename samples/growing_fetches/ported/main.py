"""Mends the strain of cheap instruments."""
import argparse
import glob
import os
import tempfile

import numpy as np
import tensorflow as tf
import compat

from repair import repair
from spans import traffic

parser = argparse.ArgumentParser()
parser.add_argument('--together', type=int, default=5)
parser.add_argument('--width', type=int, default=6)
parser.add_argument('--depth', type=int, default=2)
parser.add_argument('--gap_weight', type=float, default=5.0)
parser.add_argument('--doubt_pace', type=float, default=0.01)
parser.add_argument('--mend_pace', type=float, default=0.02)
parser.add_argument('--every', default='tell=3,board=4,show=5,keep=8', help='how often it does what beside its work')
parser.add_argument('--stop', type=int, default=8)


def season(settings, folder, kept=None):
    with compat.building():
        cars = traffic(settings, endless=kept is None)
        print('rounds with all cars:', cars.rounds)
        parts = repair(settings, cars)
        counter = compat.train.get_global_step()

        compat.summary.scalar('trust', tf.reduce_mean(parts.trust))
        for slope, each in parts.slopes:
            compat.summary.histogram(each.op.name + '/slope', slope)
        board = compat.summary.merge_all()

        with compat.name_scope('show'):
            shown = {'crossing': cars.crossings, 'strain': parts.mended,
                     'bent': {'cheap': tf.reduce_max(cars.cheap, 1), 'mended': tf.reduce_max(parts.mended, 1)}}
        size = tf.add_n([tf.size(each) for each in compat.trainable_variables()])

        keeper = compat.train.Saver()

    size_step = compat.step(size)
    shown_step = compat.step(shown)

    print('numbers to learn:', size_step())
    if kept:
        keeper.restore(kept)
        for _ in range(cars.rounds):
            seen = shown_step()
            for car, high in zip(seen['crossing'], seen['bent']['mended']):
                print('mended', car.decode(), '%.5f' % high)
        return kept

    log = compat.summary.FileWriter(folder)
    every = dict(each.split('=') for each in settings.every.split(','))
    for turn in range(1, settings.stop + 1):
        def due(what):
            return turn % int(every[what]) == 0 or turn == settings.stop

        wanted = {'work': parts.work, 'step': counter}
        if due('tell'):
            wanted['losses'] = (parts.doubt_loss, parts.mend_loss, parts.gap)
        if due('board'):
            wanted['board'] = board
        if due('show'):
            wanted['shown'] = dict(shown, trust=parts.trust)
        got = compat.run(wanted)

        if due('tell'):
            print('after %d: doubt %.5f mend %.5f gap %.5f' % ((got['step'],) + got['losses']))
        if 'board' in got:
            log.add_summary(got['board'], got['step'])
        if 'shown' in got:
            for place, car in enumerate(got['shown']['crossing']):
                print('  %s %.5f trust %.5f' % (
                    car.decode(), got['shown']['strain'][place].sum(), got['shown']['trust'][place, 0]))
        if due('keep'):
            kept = keeper.save(os.path.join(folder, 'mender'), global_step=counter)
    log.close()
    for name, _ in tf.train.list_variables(kept):
        print(os.path.basename(kept), name, '%.5f' % np.abs(tf.train.load_variable(kept, name)).mean())
    return kept


def read_board(folder):
    for path in glob.glob(os.path.join(folder, 'events*')):
        for event in compat.train.summary_iterator(path):
            for value in event.summary.value:
                print('board', event.step, value.tag, '%.5f' % (value.simple_value or value.histo.sum / value.histo.num))


if __name__ == '__main__':
    compat.VariableStore().enter_program()
    settings = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept = season(settings, folder)
        read_board(folder)
        compat.VariableStore().enter_program()
        season(settings, folder, kept)
