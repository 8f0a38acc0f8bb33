"""TF 1.x calls of linear algebra and signal processing; the values are those of TF 1.15.5."""

import numpy as np
import tensorflow as tf

A = np.array([[4.0, 1.0], [1.0, 3.0]], np.float32)
L = np.array([[2.0, 0.0], [0.5, 1.5]], np.float32)
X = np.arange(6, dtype=np.float32).reshape(2, 3)
V = np.array([1.0, 2.0], np.float32)
C = np.array([1 + 1j, 2, 3j, -1], np.complex64)
W = np.sin(np.arange(32, dtype=np.float32))

SNIPPETS = {
    "tf.matmul": lambda: tf.matmul(A, X),
    "tf.matmul / transpose": lambda: tf.matmul(X, A, transpose_a=True, name="m"),
    "tf.matmul / positional": lambda: tf.matmul(X, A, True, False, False, False, False, False, "m"),
    "tf.tensordot": lambda: tf.tensordot(X, A, [[0], [1]]),
    "tf.einsum": lambda: tf.einsum("ij,ik->jk", tf.constant(X), tf.constant(A)),
    "tf.cross": lambda: tf.cross([1.0, 2.0, 3.0], [4.0, 5.0, 6.5]),
    "tf.trace": lambda: tf.trace(A),
    "tf.diag": lambda: tf.diag(V),
    "tf.diag_part": lambda: tf.diag_part(A),
    "tf.matrix_diag": lambda: tf.matrix_diag(X),
    "tf.matrix_diag_part": lambda: tf.matrix_diag_part(A),
    "tf.matrix_set_diag": lambda: tf.matrix_set_diag(A, V),
    "tf.matrix_band_part": lambda: tf.matrix_band_part(A, 0, -1),
    "tf.matrix_inverse": lambda: tf.matrix_inverse(A),
    "tf.matrix_inverse / adjoint": lambda: tf.matrix_inverse(L, adjoint=True),
    "tf.matrix_determinant": lambda: tf.matrix_determinant(A),
    "tf.matrix_solve": lambda: tf.matrix_solve(A, X),
    "tf.matrix_solve_ls": lambda: tf.matrix_solve_ls(A, X),
    "tf.matrix_triangular_solve": lambda: tf.matrix_triangular_solve(L, X),
    "tf.matrix_square_root": lambda: tf.matrix_square_root(A),
    "tf.cholesky": lambda: tf.cholesky(A),
    "tf.cholesky_solve": lambda: tf.cholesky_solve(L, X),
    "tf.self_adjoint_eigvals": lambda: tf.self_adjoint_eigvals(A),
    "tf.self_adjoint_eig": lambda: tf.self_adjoint_eig(A)[0],
    "tf.svd": lambda: tf.svd(A, compute_uv=False),
    "tf.qr": lambda: tf.abs(tf.qr(A)[1]),
    "tf.linalg.adjoint": lambda: tf.linalg.adjoint(X),
    "tf.linalg.expm": lambda: tf.linalg.expm(A / 4),
    "tf.linalg.logdet": lambda: tf.linalg.logdet(A),
    "tf.linalg.slogdet": lambda: tf.linalg.slogdet(A),
    "tf.linalg.logm": lambda: tf.linalg.logm(A.astype(np.complex64)),
    "tf.linalg.lu": lambda: tf.linalg.lu(A),
    "tf.linalg.matvec": lambda: tf.linalg.matvec(A, V),
    "tf.linalg.matrix_rank": lambda: tf.linalg.matrix_rank(A),
    "tf.linalg.normalize": lambda: tf.linalg.normalize(V),
    "tf.linalg.pinv": lambda: tf.linalg.pinv(A),
    "tf.linalg.tridiagonal_matmul": lambda: tf.linalg.tridiagonal_matmul(
        (np.float32([1, 0]), np.float32([2, 3]), np.float32([0, 1])), X, "sequence"
    ),
    "tf.linalg.tridiagonal_solve": lambda: tf.linalg.tridiagonal_solve(
        tf.constant([[1.0, 0], [2, 3], [0, 1]]), tf.constant(X)
    ),
    "tf.fft": lambda: tf.fft(C),
    "tf.ifft": lambda: tf.ifft(C),
    "tf.fft2d": lambda: tf.fft2d(C.reshape(2, 2)),
    "tf.ifft2d": lambda: tf.ifft2d(C.reshape(2, 2)),
    "tf.fft3d": lambda: tf.fft3d(C.reshape(1, 2, 2)),
    "tf.ifft3d": lambda: tf.ifft3d(C.reshape(1, 2, 2)),
    "tf.signal.rfft": lambda: tf.signal.rfft(W[:8]),
    "tf.signal.irfft": lambda: tf.signal.irfft(C[:3]),
    "tf.signal.rfft2d": lambda: tf.signal.rfft2d(W[:8].reshape(2, 4)),
    "tf.signal.irfft2d": lambda: tf.signal.irfft2d(np.tile(C[None, :3], [2, 1])),
    "tf.signal.rfft3d": lambda: tf.signal.rfft3d(W[:8].reshape(2, 2, 2)),
    "tf.signal.irfft3d": lambda: tf.signal.irfft3d(np.tile(C[None, None, :2], [2, 2, 1])),
    "tf.signal.fftshift": lambda: tf.signal.fftshift(W[:6]),
    "tf.signal.ifftshift": lambda: tf.signal.ifftshift(W[:5]),
    "tf.signal.dct": lambda: tf.signal.dct(W[:8]),
    "tf.signal.idct": lambda: tf.signal.idct(W[:8]),
    "tf.signal.stft": lambda: tf.signal.stft(W, 8, 4),
    "tf.signal.inverse_stft": lambda: tf.signal.inverse_stft(np.ones((3, 5), np.complex64), 8, 4),
    "tf.signal.inverse_stft_window_fn": lambda: tf.signal.inverse_stft_window_fn(4)(8, tf.float32),
    "tf.signal.frame": lambda: tf.signal.frame(W[:8], 4, 2),
    "tf.signal.overlap_and_add": lambda: tf.signal.overlap_and_add(W[:8].reshape(2, 4), 2),
    "tf.signal.hann_window": lambda: tf.signal.hann_window(8),
    "tf.signal.hamming_window": lambda: tf.signal.hamming_window(8),
    "tf.signal.linear_to_mel_weight_matrix": lambda: tf.signal.linear_to_mel_weight_matrix(4, 9, 8000),
    "tf.signal.mfccs_from_log_mel_spectrograms": lambda: tf.signal.mfccs_from_log_mel_spectrograms(W[:8].reshape(1, 8)),
    "tf.contrib.signal.hann_window": lambda: tf.contrib.signal.hann_window(8),
    "tf.contrib.signal.stft": lambda: tf.contrib.signal.stft(W, 8, 4),
}
