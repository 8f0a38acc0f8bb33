"""TF 1.x calls on strings, encodings and serialized data; the values are those of TF 1.15.5."""

import numpy as np
import tensorflow as tf

S = ["ab cd", "e", ""]


def example():
    """A serialized Example."""
    feature = {
        "x": tf.train.Feature(float_list=tf.train.FloatList(value=[1.0, 2.0])),
        "n": tf.train.Feature(int64_list=tf.train.Int64List(value=[7])),
        "s": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"a", b"b"])),
    }
    return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()


def features():
    """Two of its features."""
    return {"x": tf.FixedLenFeature([2], tf.float32), "n": tf.FixedLenFeature([], tf.int64)}


def sequence():
    """A serialized SequenceExample."""
    context = tf.train.Features(feature={"n": tf.train.Feature(int64_list=tf.train.Int64List(value=[7]))})
    steps = [tf.train.Feature(float_list=tf.train.FloatList(value=[value])) for value in (1.0, 2.0)]
    lists = tf.train.FeatureLists(feature_list={"x": tf.train.FeatureList(feature=steps)})
    return tf.train.SequenceExample(context=context, feature_lists=lists).SerializeToString()


SNIPPETS = {
    "tf.as_string": lambda: tf.as_string([1.5, 2.0], precision=2),
    "tf.string_join": lambda: tf.string_join([["a", "b"], ["c", "d"]], "-"),
    "tf.string_split": lambda: tf.string_split(S),
    "tf.string_split / delimiter": lambda: tf.string_split(["a,b,,c"], delimiter=","),
    "tf.string_split / skip_empty": lambda: tf.string_split(["a,b,,c"], ",", skip_empty=False),
    "tf.strings.split": lambda: tf.strings.split(S),
    "tf.strings.split / sep": lambda: tf.strings.split(["a,b,,c"], sep=","),
    "tf.strings.split / ragged": lambda: tf.strings.split(S, result_type="RaggedTensor"),
    "tf.string_strip": lambda: tf.string_strip([" a ", "b "]),
    "tf.strings.lower": lambda: tf.strings.lower(["AbC"]),
    "tf.strings.upper": lambda: tf.strings.upper(["AbC"]),
    "tf.strings.length": lambda: tf.strings.length(S),
    "tf.strings.length / unit": lambda: tf.strings.length([b"\xc3\xa9a"], "n", "UTF8_CHAR"),
    "tf.substr": lambda: tf.substr(["hello", "world"], 1, 3),
    "tf.substr / unit": lambda: tf.substr(["hello"], 1, 3, "s", "BYTE"),
    "tf.strings.substr": lambda: tf.strings.substr(["hello", "world"], [1, 2], [3, 1], name="s"),
    "tf.reduce_join": lambda: tf.reduce_join([["a", "b"], ["c", "d"]], 1),
    "tf.reduce_join / reduction_indices": lambda: tf.reduce_join(
        [["a", "b"], ["c", "d"]], reduction_indices=0, keep_dims=True, separator="-"
    ),
    "tf.strings.reduce_join": lambda: tf.strings.reduce_join([["a", "b"], ["c", "d"]]),
    "tf.strings.reduce_join / positional": lambda: tf.strings.reduce_join([["a", "b"], ["c", "d"]], 0, True, "+", "j"),
    "tf.regex_replace": lambda: tf.regex_replace(S, "[a-c]", "x"),
    "tf.strings.regex_full_match": lambda: tf.strings.regex_full_match(S, "[a-e]*"),
    "tf.strings.format": lambda: tf.strings.format("<{}>", tf.constant([1, 2])),
    "tf.strings.join": lambda: tf.strings.join(["a", ["b", "c"]]),
    "tf.strings.bytes_split": lambda: tf.strings.bytes_split(["ab", "c"]),
    "tf.strings.ngrams": lambda: tf.strings.ngrams(["a", "b", "c"], 2),
    "tf.strings.unicode_decode": lambda: tf.strings.unicode_decode(["ab", "c"], "UTF-8"),
    "tf.strings.unicode_decode_with_offsets": lambda: tf.strings.unicode_decode_with_offsets(["ab", "c"], "UTF-8"),
    "tf.strings.unicode_encode": lambda: tf.strings.unicode_encode([[97, 98]], "UTF-8"),
    "tf.strings.unicode_script": lambda: tf.strings.unicode_script([97, 1071]),
    "tf.strings.unicode_split": lambda: tf.strings.unicode_split(["ab"], "UTF-8"),
    "tf.strings.unicode_split_with_offsets": lambda: tf.strings.unicode_split_with_offsets(["ab"], "UTF-8"),
    "tf.strings.unicode_transcode": lambda: tf.strings.unicode_transcode(["ab"], "UTF-8", "UTF-16-BE"),
    "tf.strings.unsorted_segment_join": lambda: tf.strings.unsorted_segment_join(["a", "b", "c"], [0, 1, 0], 2),
    "tf.string_to_hash_bucket": lambda: tf.string_to_hash_bucket(S, 100),
    "tf.string_to_hash_bucket / string_tensor": lambda: tf.string_to_hash_bucket(string_tensor=S, num_buckets=100),
    "tf.strings.to_hash_bucket": lambda: tf.strings.to_hash_bucket(S, 100, "h"),
    "tf.string_to_hash_bucket_fast": lambda: tf.string_to_hash_bucket_fast(S, 100),
    "tf.string_to_hash_bucket_strong": lambda: tf.string_to_hash_bucket_strong(S, 100, [1, 2]),
    "tf.string_to_number": lambda: tf.string_to_number(["1.5", "2"]),
    "tf.string_to_number / out_type": lambda: tf.string_to_number(string_tensor=["3", "4"], out_type=tf.int32),
    "tf.strings.to_number": lambda: tf.strings.to_number(["1.5"], tf.float64, "n"),
    "tf.decode_base64": lambda: tf.decode_base64(["YWI"]),
    "tf.encode_base64": lambda: tf.encode_base64(["ab"], True),
    "tf.decode_raw": lambda: tf.decode_raw(["abcd"], tf.uint8),
    "tf.decode_raw / bytes": lambda: tf.decode_raw(bytes=["abcd"], out_type=tf.int16, little_endian=False, name="r"),
    "tf.decode_compressed": lambda: tf.decode_compressed(["ab"]),
    "tf.decode_csv": lambda: tf.decode_csv(["1,2.5,a", "3,,b"], [[0], [9.0], [""]]),
    "tf.decode_csv / positional": lambda: tf.decode_csv(["1;x"], [[0], ["?"]], ";", True, "c", "x", [0, 1]),
    "tf.decode_json_example": lambda: tf.parse_single_example(
        tf.decode_json_example('{"features": {"feature": {"n": {"int64List": {"value": ["5"]}}}}}'),
        {"n": tf.FixedLenFeature([], tf.int64)},
    ),
    "tf.parse_example": lambda: tf.parse_example([example(), example()], features()),
    "tf.parse_example / example_names": lambda: tf.parse_example([example()], features(), "p", ["one"]),
    "tf.parse_single_example": lambda: tf.parse_single_example(example(), features()),
    "tf.parse_single_example / name": lambda: tf.parse_single_example(
        example(), features(), name="p", example_names="one"
    ),
    "tf.VarLenFeature": lambda: tf.parse_single_example(example(), {"s": tf.VarLenFeature(tf.string)}),
    "tf.FixedLenFeature": lambda: tf.parse_single_example(
        example(), {"missing": tf.FixedLenFeature([1], tf.float32, default_value=[3.0])}
    ),
    "tf.FixedLenSequenceFeature": lambda: tf.parse_single_example(
        example(), {"x": tf.FixedLenSequenceFeature([], tf.float32, allow_missing=True)}
    ),
    "tf.SparseFeature": lambda: tf.parse_single_example(
        example(), {"p": tf.SparseFeature(index_key="n", value_key="n", dtype=tf.int64, size=10)}
    ),
    "tf.parse_single_sequence_example": lambda: tf.parse_single_sequence_example(
        sequence(), {"n": tf.FixedLenFeature([], tf.int64)}, {"x": tf.FixedLenSequenceFeature([], tf.float32)}
    ),
    "tf.io.parse_sequence_example": lambda: tf.io.parse_sequence_example(
        [sequence()], {"n": tf.FixedLenFeature([], tf.int64)}, {"x": tf.FixedLenSequenceFeature([], tf.float32)}
    ),
    "tf.parse_tensor": lambda: tf.parse_tensor(tf.serialize_tensor([1.0, 2.0]), tf.float32),
    "tf.serialize_tensor": lambda: tf.parse_tensor(tf.serialize_tensor(np.int32([3, 4])), tf.int32),
    "tf.train.Example": lambda: tf.train.Example.FromString(example()).features.feature["n"].int64_list.value[0],
    "tf.train.Features": lambda: len(tf.train.Features().feature),
    "tf.train.Feature": lambda: tf.train.Feature(int64_list=tf.train.Int64List(value=[3])).int64_list.value[0],
    "tf.train.BytesList": lambda: tf.train.BytesList(value=[b"a"]).value[0],
    "tf.train.FloatList": lambda: tf.train.FloatList(value=[1.5]).value[0],
    "tf.train.Int64List": lambda: tf.train.Int64List(value=[4]).value[0],
    "tf.train.FeatureList": lambda: len(tf.train.FeatureList(feature=[tf.train.Feature()]).feature),
    "tf.train.FeatureLists": lambda: len(tf.train.FeatureLists().feature_list),
    "tf.train.SequenceExample": lambda: len(
        tf.train.SequenceExample.FromString(sequence()).feature_lists.feature_list["x"].feature
    ),
    "tf.compat.as_bytes": lambda: tf.compat.as_bytes("ab"),
    "tf.compat.as_text": lambda: tf.compat.as_text(b"ab"),
    "tf.compat.as_str": lambda: tf.compat.as_str(b"ab"),
    "tf.compat.as_str_any": lambda: tf.compat.as_str_any(5),
    "tf.compat.path_to_str": lambda: tf.compat.path_to_str("a/b"),
}
