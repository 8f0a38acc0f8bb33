"""`tf.contrib.lookup` of TF 1.15."""

from ...lookup.initializers import KeyValueTensorInitializer as KeyValueTensorInitializer
from ...lookup.initializers import TableInitializerBase as TableInitializerBase
from ...lookup.initializers import TextFileIdTableInitializer as TextFileIdTableInitializer
from ...lookup.initializers import TextFileIndex as TextFileIndex
from ...lookup.initializers import TextFileInitializer as TextFileInitializer
from ...lookup.initializers import TextFileStringTableInitializer as TextFileStringTableInitializer
from ...lookup.tables import HashTable as HashTable
from ...lookup.tables import LookupInterface as LookupInterface
from ...lookup.tables import MutableDenseHashTable as MutableDenseHashTable
from ...lookup.tables import MutableHashTable as MutableHashTable
from ...lookup.vocabulary import FastHashSpec as FastHashSpec
from ...lookup.vocabulary import HasherSpec as HasherSpec
from ...lookup.vocabulary import IdTableWithHashBuckets as IdTableWithHashBuckets
from ...lookup.vocabulary import StrongHashSpec as StrongHashSpec
from ...lookup.vocabulary import index_table_from_file as index_table_from_file
from ...lookup.vocabulary import index_table_from_tensor as index_table_from_tensor
from ...lookup.vocabulary import index_to_string as index_to_string
from ...lookup.vocabulary import index_to_string_table_from_file as index_to_string_table_from_file
from ...lookup.vocabulary import index_to_string_table_from_tensor as index_to_string_table_from_tensor
from ...lookup.vocabulary import string_to_index as string_to_index
from ...lookup.vocabulary import string_to_index_table_from_file as string_to_index_table_from_file
from ...lookup.vocabulary import string_to_index_table_from_tensor as string_to_index_table_from_tensor
