"""`python -m tf_migrate`."""

from tf_migrate.cli import main

if __name__ == "__main__":
    main()
