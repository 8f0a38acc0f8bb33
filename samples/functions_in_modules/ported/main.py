"""Learns how much rain follows from what the stations measured."""
import argparse
import glob
import os
import tempfile

import tensorflow as tf
import compat

import rain
import stations

OPTIONS = None


def sockets(rows):
    gauges = compat.Input(tf.float32, [rows, rain.GAUGES])
    fallen = compat.Input(tf.float32, rows)
    return gauges, fallen


def plug(archive, gauges, fallen):
    measured, rainfall = archive.draw(OPTIONS.rows)
    return {gauges: measured, fallen: rainfall}


def report(good_step, gauges, fallen, name, archive):
    archive.hour, rounds = 0, len(archive) // OPTIONS.rows
    hits = sum(good_step(plug(archive, gauges, fallen)) for _ in range(rounds))
    print('  %s: %d of %d hours, %.5f' % (name, hits, rounds * OPTIONS.rows, hits / (rounds * OPTIONS.rows)))


def study(folder):
    seasons = stations.seasons()

    with compat.VariableStore(), compat.building():
        graph = compat.get_default_graph()
        gauges, fallen = sockets(OPTIONS.rows)
        forecast = rain.amount(gauges, OPTIONS.cells)
        gap = rain.error(forecast, fallen)
        better = rain.improve(gap, OPTIONS.pace)
        good = rain.good(forecast, fallen, OPTIONS.tolerance)
        board = compat.summary.merge_all()
        keeper = compat.train.Saver(max_to_keep=1)

    better_step = compat.step(gap, gauges, fallen, updates=[better])
    board_step = compat.step(board, gauges, fallen)
    good_step = compat.step(good, gauges, fallen)

    log = compat.summary.FileWriter(folder, graph)
    for turn in range(1, OPTIONS.turns + 1):
        hours = plug(seasons['spring'], gauges, fallen)
        missed = better_step(hours)
        if turn % 6 == 1:
            log.add_summary(board_step(hours), turn)
            print('turn %d: error %.5f' % (turn, missed))
        if turn in (OPTIONS.turns // 2, OPTIONS.turns):
            saved = keeper.save(os.path.join(folder, 'rain'), global_step=turn)
            print(os.path.basename(saved), [name for name, _ in tf.train.list_variables(saved)])
            for name, archive in seasons.items():
                report(good_step, gauges, fallen, name, archive)
    log.close()


def show_board(folder):
    for path in glob.glob(os.path.join(folder, 'events*')):
        for event in compat.train.summary_iterator(path):
            for value in event.summary.value:
                print('board %d %s %.5f' % (event.step, value.tag, value.simple_value))


def main(_):
    with tempfile.TemporaryDirectory() as folder:
        study(folder)
        show_board(folder)


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--cells', type=int, default=6, help='how many cells the cloud has')
    parser.add_argument('--pace', type=float, default=0.4, help='how fast it learns in the beginning')
    parser.add_argument('--rows', type=int, default=5, help='hours in a turn')
    parser.add_argument('--tolerance', type=float, default=0.15, help='a forecast this near is good')
    parser.add_argument('--turns', type=int, default=24)
    OPTIONS, others = parser.parse_known_args()
    compat.app.run(argv=[parser.prog] + others)
