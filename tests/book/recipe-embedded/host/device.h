// Takes the place of the vendor's header when the driver is explored on a PC.
#include <stdint.h>

#define UART_READY 1u
#define UART_OVERRUN 2u

struct uart {
    volatile uint32_t status, data;
};
static struct uart uart0;
#define UART0 (&uart0)

// Nothing defines it, so each call returns a new input: hardware may answer anything.
uint32_t read_register(volatile uint32_t *address);
