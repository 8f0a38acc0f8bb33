"""`tf.lookup` of TF 1.15, and what fills its tables."""

from .initializers import KeyValueTensorInitializer as KeyValueTensorInitializer
from .initializers import TextFileIndex as TextFileIndex
from .initializers import TextFileInitializer as TextFileInitializer
from .resource import initialize_all_tables as initialize_all_tables
from .resource import tables_initializer as tables_initializer
from .tables import StaticHashTable as StaticHashTable
from .vocabulary import StaticVocabularyTable as StaticVocabularyTable
