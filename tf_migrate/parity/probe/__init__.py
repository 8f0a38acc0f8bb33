"""The half of parity that runs inside the programs: it keeps to what Python 3.7 and both TensorFlows know."""
