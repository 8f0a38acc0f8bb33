"""How the facts table is made; nothing here runs when programs are rewritten.

    PY1 dump.py tf1.tsv private_names.txt          Python 3.7 with TF 1.15.5: its names, kinds, signatures
    PY2 dump.py tf2.tsv private_names.txt          the newest TensorFlow that we support
    PY2_OLD dump.py oldest.tsv private_names.txt   the oldest one
    python -m tf_migrate.facts.generate.join tf1.tsv tf2.tsv oldest.tsv
    PY1 tests/goldens/make_facts.py                the values that tests/facts compares with
    python -m tf_migrate.facts.generate.coverage   the shares that this gives

`overrides.tsv` holds what a person has to know: symbols whose meaning changed, arguments that have another
name, and what to do about parts that are gone. It is the only file of these that is edited by hand. Run `join`
again when `compat` has grown: a row becomes a shim once there is one.
"""
