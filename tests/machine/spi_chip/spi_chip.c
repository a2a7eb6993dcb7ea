// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * An SPI host whose chips are a program. It is the bus of the device tree's node "race-companion,spi-chip"; the kernel's
 * own spidev is above it. The program opens /dev/spi-chip, reads each transfer as the chips see it (struct transfer,
 * then the bytes on MOSI) and writes as many bytes, those on MISO. Without a program MISO stays low, as with no chip.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/poll.h>
#include <linux/spi/spi.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#define CHIPS 2
#define MOST 4096
#define PATIENCE (20 * HZ)	/* of the driver, while the program thinks */

struct transfer {
	__u32 length;
	__u32 hz;
	__u8 chip;
	__u8 mode;
	__u8 is_selected;	/* its select line is low */
	__u8 is_first;		/* the line has gone low since the transfer before */
};

enum state { IDLE, ASKED, TAKEN, ANSWERED };

static struct {
	struct mutex lock;
	wait_queue_head_t changed;
	enum state state;
	bool is_open;
	bool is_low[CHIPS];
	bool went_low[CHIPS];
	struct transfer head;
	u8 bytes[MOST];
} wire;

static void wire_select(struct spi_device *chip, bool is_high)
{
	unsigned int n = chip->chip_select;

	mutex_lock(&wire.lock);
	if (!is_high && !wire.is_low[n])
		wire.went_low[n] = true;
	wire.is_low[n] = !is_high;
	mutex_unlock(&wire.lock);
}

static int wire_transfer(struct spi_controller *host, struct spi_device *chip, struct spi_transfer *one)
{
	unsigned int n = chip->chip_select;
	bool is_answered;

	if (one->len > MOST)
		return -EMSGSIZE;
	mutex_lock(&wire.lock);
	if (!wire.is_open) {
		mutex_unlock(&wire.lock);
		if (one->rx_buf)
			memset(one->rx_buf, 0, one->len);
		return 0;
	}
	wire.head = (struct transfer){
		.length = one->len, .hz = one->speed_hz, .chip = n, .mode = chip->mode,
		.is_selected = wire.is_low[n], .is_first = wire.went_low[n],
	};
	wire.went_low[n] = false;
	if (one->tx_buf)
		memcpy(wire.bytes, one->tx_buf, one->len);
	else
		memset(wire.bytes, 0, one->len);
	wire.state = ASKED;
	mutex_unlock(&wire.lock);
	wake_up_all(&wire.changed);
	wait_event_timeout(wire.changed, READ_ONCE(wire.state) == ANSWERED || !READ_ONCE(wire.is_open), PATIENCE);
	mutex_lock(&wire.lock);
	is_answered = wire.state == ANSWERED;
	wire.state = IDLE;
	if (one->rx_buf) {
		if (is_answered)
			memcpy(one->rx_buf, wire.bytes, one->len);
		else
			memset(one->rx_buf, 0, one->len);
	}
	mutex_unlock(&wire.lock);
	return 0;
}

static int wire_open(struct inode *inode, struct file *file)
{
	int result = 0;

	mutex_lock(&wire.lock);
	if (wire.is_open)
		result = -EBUSY;
	wire.is_open = true;
	mutex_unlock(&wire.lock);
	return result;
}

static int wire_release(struct inode *inode, struct file *file)
{
	WRITE_ONCE(wire.is_open, false);
	wake_up_all(&wire.changed);
	return 0;
}

static ssize_t wire_read(struct file *file, char __user *to, size_t room, loff_t *at)
{
	size_t head = sizeof(wire.head);
	ssize_t result;

	if (!(file->f_flags & O_NONBLOCK)) {
		result = wait_event_interruptible(wire.changed, READ_ONCE(wire.state) == ASKED);
		if (result)
			return result;
	}
	mutex_lock(&wire.lock);
	result = head + wire.head.length;
	if (wire.state != ASKED)
		result = -EAGAIN;
	else if (room < result)
		result = -EMSGSIZE;
	else if (copy_to_user(to, &wire.head, head) || copy_to_user(to + head, wire.bytes, wire.head.length))
		result = -EFAULT;
	else
		wire.state = TAKEN;
	mutex_unlock(&wire.lock);
	return result;
}

static ssize_t wire_write(struct file *file, const char __user *from, size_t length, loff_t *at)
{
	ssize_t result = length;

	mutex_lock(&wire.lock);
	if (wire.state != TAKEN || length != wire.head.length)
		result = -EINVAL;
	else if (copy_from_user(wire.bytes, from, length))
		result = -EFAULT;
	else
		wire.state = ANSWERED;
	mutex_unlock(&wire.lock);
	wake_up_all(&wire.changed);
	return result;
}

static __poll_t wire_poll(struct file *file, poll_table *table)
{
	poll_wait(file, &wire.changed, table);
	return READ_ONCE(wire.state) == ASKED ? EPOLLIN | EPOLLRDNORM : 0;
}

static const struct file_operations wire_operations = {
	.owner = THIS_MODULE,
	.open = wire_open,
	.release = wire_release,
	.read = wire_read,
	.write = wire_write,
	.poll = wire_poll,
};

static struct miscdevice wire_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "spi-chip",
	.fops = &wire_operations,
};

static int host_probe(struct platform_device *device)
{
	struct spi_controller *host = devm_spi_alloc_master(&device->dev, 0);

	if (!host)
		return -ENOMEM;
	host->bus_num = 0;
	host->num_chipselect = CHIPS;
	host->dev.of_node = device->dev.of_node;
	host->mode_bits = SPI_CPOL | SPI_CPHA | SPI_CS_HIGH | SPI_NO_CS;
	host->bits_per_word_mask = SPI_BPW_MASK(8);
	host->max_speed_hz = 125000000;
	host->set_cs = wire_select;
	host->transfer_one = wire_transfer;
	return devm_spi_register_controller(&device->dev, host);
}

static const struct of_device_id host_names[] = { { .compatible = "race-companion,spi-chip" }, {} };
MODULE_DEVICE_TABLE(of, host_names);

static struct platform_driver host_driver = {
	.probe = host_probe,
	.driver = { .name = "spi_chip", .of_match_table = host_names },
};

static int __init spi_chip_init(void)
{
	int result;

	mutex_init(&wire.lock);
	init_waitqueue_head(&wire.changed);
	result = misc_register(&wire_device);
	if (result)
		return result;
	result = platform_driver_register(&host_driver);
	if (result)
		misc_deregister(&wire_device);
	return result;
}

static void __exit spi_chip_exit(void)
{
	platform_driver_unregister(&host_driver);
	misc_deregister(&wire_device);
}

module_init(spi_chip_init);
module_exit(spi_chip_exit);
MODULE_LICENSE("Dual MIT/GPL");
MODULE_DESCRIPTION("An SPI host whose chips are a program");
