// Driver of a serial port. The bug: a kind of frame that the table does not have.
#include "device.h"
#include <stdint.h>

static const uint8_t lengths[4] = { 0, 1, 2, 4 };
static uint8_t frame[4];
static unsigned overruns;

// Waits for a byte, so many times; -1 if there is none.
static int next_byte(void)
{
    for (int tries = 0; tries < 3; tries++) {
        uint32_t status = read_register(&UART0->status);
        if (status & UART_OVERRUN)
            overruns++;
        if (status & UART_READY)
            return (int)(read_register(&UART0->data) & 0xff);
    }
    return -1;
}

// Receives one frame: 0x7e, its kind, and as many bytes as that has. Returns their number, or -1.
int uart_receive(void)
{
    if (next_byte() != 0x7e)
        return -1;
    int kind = next_byte();
    if (kind < 0 || kind > 4)
        return -1;
    for (int i = 0; i < lengths[kind]; i++) {
        int byte = next_byte();
        if (byte < 0)
            return -1;
        frame[i] = (uint8_t)byte;
    }
    return lengths[kind];
}
