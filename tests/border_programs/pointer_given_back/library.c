int agrees(char *(*asks)(void)) { return asks()[0] != 'x'; }
