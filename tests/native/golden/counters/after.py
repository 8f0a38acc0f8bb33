import tensorflow as tf

total = tf.Variable(0, name="total")
last = tf.Variable(0, name="last")


@tf.function(input_signature=[tf.TensorSpec((), tf.int32)])
def update(amount):
    total.assign_add(amount)
    last.assign(2 * amount)


@tf.function
def reset():
    total.assign(0)
    return total.read_value()


for n in range(4):
    update(n)
    values = {"total": total.numpy(), "last": last.numpy()}
    print(int(values["total"]), int(values["last"]))
print(reset().numpy())
last.assign(7)
print(last.numpy())
