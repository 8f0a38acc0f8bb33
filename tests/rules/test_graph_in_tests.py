"""Plain test functions that build open the graph; all other tests stay as they are."""

from __future__ import annotations

from tests.engine import becomes, migrated


def test_functions_that_build() -> None:
    becomes(
        """\
        import tensorflow as tf
        import pytest

        def net(x):
            return tf.layers.dense(x, 2)

        @pytest.mark.parametrize("size", [1, 2])
        def test_net(size):
            assert net(tf.placeholder(tf.float32, [None, size])).shape[1] == 2

        class TestNets:
            def test_two(self):
                net(net(tf.placeholder(tf.float32, [None, 3])))

            def test_numbers(self):
                assert 1 + 1 == 2

        def test_nothing():
            assert [1] != [2]
        """,
        """\
        import tensorflow as tf
        import compat
        import pytest

        def net(x):
            return compat.layers.dense(x, 2)

        @compat.with_open_graph
        @pytest.mark.parametrize("size", [1, 2])
        def test_net(size):
            assert net(compat.placeholder(tf.float32, [None, size])).shape[1] == 2

        class TestNets:
            @compat.with_open_graph
            def test_two(self):
                net(net(compat.placeholder(tf.float32, [None, 3])))

            def test_numbers(self):
                assert 1 + 1 == 2

        def test_nothing():
            assert [1] != [2]
        """,
        path="test_net.py",
    )


def test_cases_of_unittest_have_a_graph_of_their_own() -> None:
    case = "class NetTest(tf.test.TestCase):\n    def test_it(self):\n        tf.placeholder(tf.float32)\n"
    assert "with_open_graph" not in migrated(f"import tensorflow as tf\n{case}", path="net_test.py").text


def test_cases_of_python_share_the_default_graph() -> None:
    becomes(
        """\
        import unittest
        import tensorflow as tf

        class Case(unittest.TestCase):
            pass

        class NetTest(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                cls.x = tf.placeholder(tf.float32)

            def setUp(self):
                self.size = 2

            def tearDown(self):
                tf.reset_default_graph()

            def helper(self):
                return tf.square(self.x)

            @unittest.skip("later")
            def test_it(self):
                tf.square(self.x)

            def test_alone(self):
                with tf.Graph().as_default() as graph:
                    tf.placeholder(tf.float32)

        class OtherTest(Case):
            def test_it(self):
                tf.placeholder(tf.float32)
        """,
        """\
        import unittest
        import tensorflow as tf
        import compat

        class Case(unittest.TestCase):
            pass

        class NetTest(unittest.TestCase):
            @classmethod
            @compat.with_open_graph
            def setUpClass(cls):
                cls.x = compat.placeholder(tf.float32)

            def setUp(self):
                self.size = 2

            @compat.with_open_graph
            def tearDown(self):
                compat.reset_default_graph()

            def helper(self):
                return tf.square(self.x)

            @unittest.skip("later")
            @compat.with_open_graph
            def test_it(self):
                tf.square(self.x)

            def test_alone(self):
                with compat.Graph().as_default() as graph:
                    compat.placeholder(tf.float32)

        class OtherTest(Case):
            @compat.with_open_graph
            def test_it(self):
                compat.placeholder(tf.float32)
        """,
        path="tests.py",
    )


def test_programs_are_no_tests() -> None:
    text = "import tensorflow as tf\ndef test_model():\n    return tf.placeholder(tf.float32)\ntest_model()\n"
    assert "with_open_graph" not in migrated(text, path="train.py").text


def test_methods_below_decorators() -> None:
    becomes(
        """\
        import tensorflow as tf
        import pytest

        class TestNets:
            class TestInner:
                # Of every size.
                @pytest.mark.parametrize("size", [1, 2])
                @pytest.mark.parametrize(
                    "rate", [0.1]
                )
                def test_net(self, size, rate):
                    assert tf.placeholder(tf.float32, [None, size]).shape[1] == size

            @staticmethod
            @pytest.fixture
            def test_data():
                return tf.log(1.0)
        """,
        """\
        import tensorflow as tf
        import compat
        import pytest

        class TestNets:
            class TestInner:
                # Of every size.
                @pytest.mark.parametrize("size", [1, 2])
                @pytest.mark.parametrize(
                    "rate", [0.1]
                )
                @compat.with_open_graph
                def test_net(self, size, rate):
                    assert compat.placeholder(tf.float32, [None, size]).shape[1] == size

            @staticmethod
            @pytest.fixture
            @compat.with_open_graph
            def test_data():
                return tf.math.log(1.0)
        """,
        path="test_net.py",
    )


def test_helpers_of_the_tree_that_build_with_the_package_keras() -> None:
    becomes(
        """\
        from checks.nets import small
        from optimizers import Yogi

        def test_yogi():
            assert small(Yogi()) < 1

        def test_numbers():
            assert 1 + 1 == 2
        """,
        """\
        from checks.nets import small
        from optimizers import Yogi
        import compat

        @compat.with_open_graph
        def test_yogi():
            assert small(Yogi()) < 1

        def test_numbers():
            assert 1 + 1 == 2
        """,
        path="tests/optimizers/test_yogi.py",  # a folder of the package's name, which is no package
        **{
            "checks/__init__.py": "",
            "checks/nets.py": """\
                from keras.layers import Dense
                from keras.models import Sequential

                def small(optimizer):
                    model = Sequential([Dense(1, input_shape=(2,))])
                    model.compile(optimizer, "mse")
                    return model.count_params()
                """,
            "optimizers/__init__.py": "from optimizers.yogi import Yogi\n",
            "optimizers/yogi.py": "import keras\n\nclass Yogi(keras.optimizers.Optimizer):\n    pass\n",
        },
    )
