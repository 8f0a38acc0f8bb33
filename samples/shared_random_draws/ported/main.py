"""Forecasts the sales of a shop."""
import argparse
import os
import tempfile

import numpy as np
import tensorflow as tf
import compat

import crowd
import pages
import shop


def read_options():
    parser = argparse.ArgumentParser()
    parser.add_argument('--goods', type=int, default=3)
    parser.add_argument('--moods', type=int, default=2)
    parser.add_argument('--width', type=int, default=8)
    parser.add_argument('--weeks', type=int, default=4, help='how often it reads the ledger')
    parser.add_argument('--no_forecasts', dest='forecasts', action='store_false')
    parser.add_argument('--no_dreams', dest='dreams', action='store_false')
    parser.add_argument('--probe', action='store_true', help='shows the forecast of a day without facts')
    return parser.parse_args()


def season(options):
    known, coming = shop.ledger(options.goods)

    with compat.building():
        facts = compat.Input(tf.float32, [None, shop.FACTS], name='facts')
        sales = compat.Input(tf.float32, [None, options.goods], name='sales')
        attention = compat.Input(tf.float32, name='attention')
        asked_mood = compat.Input(tf.float32, [None, options.moods], name='asked_mood')

        forecast, (mood, luck), cost, (miss, pull) = crowd.day(facts, sales, options.moods, options.width, attention)

        page = pages.Page('shop')
        page.note('days', [len(known[0]), len(coming[0])])

        # Dreams want moods that one can draw.
        dreamt = nothing = None
        if options.dreams and options.moods == 2:
            dreams = pages.Dreams(3)
            dreams.note('moods', dreams.moods)
            dreamt = crowd.buy(asked_mood, options.goods, options.width, attention, again=True)
        if options.probe:
            nothing = tf.reduce_mean(
                crowd.buy(tf.zeros([1, options.moods]), options.goods, options.width, 1.0, again=True))

        learn = compat.train.AdamOptimizer(0.02).minimize(cost)
        page.note('numbers', sum(np.prod(each.shape.as_list()) for each in compat.trainable_variables()))

    learn_step = compat.step((cost, (miss, pull)), facts, sales, attention, updates=[learn])
    forecast_step = compat.step(forecast, facts, attention)
    luck_step = compat.step(luck, facts, attention)
    dreamt_step = compat.step(dreamt, asked_mood, attention)
    mood_step = compat.step(mood, facts, attention)
    nothing_step = compat.step(nothing)

    lowest = np.inf
    for week in range(options.weeks):
        for first in range(0, len(known[0]), 6):
            part = slice(first, first + 6)
            last, parts = learn_step(known[0][part], known[1][part], 0.8)
        print('week %d cost %.5f miss %.5f pull %.5f' % ((week, last) + parts))
        if last >= lowest and week + 1 < options.weeks:
            continue
        lowest = last

        if options.forecasts:
            page.note('forecast', forecast_step(coming[0], 1).mean(axis=1))
            page.note('luck', luck_step(coming[0][:2], 1))
        if options.dreams and options.moods == 2:
            dreams.note('sales', dreamt_step(dreams.moods, 0.9))
            dreams.note('true moods', mood_step(coming[0][-2:], 1))
        if options.probe:
            page.note('nothing', nothing_step())

    with tempfile.TemporaryDirectory() as folder:
        kept = compat.train.Saver().save(os.path.join(folder, 'shop'))
        print([name for name, _ in tf.train.list_variables(kept)])


if __name__ == '__main__':
    compat.VariableStore().enter_program()
    season(read_options())
