// A command that the server gives for a terminal.

/** Nothing that a terminal would take for more than one command, or for an order of its own. */
export function isOneCommand(command: string): boolean {
  return /^elsewise replay /.test(command) && !/[\u0000-\u001f\u007f-\u009f]/.test(command);
}

/** The same with the program that is set, quoted for a shell. */
export function withProgram(command: string, program: string): string {
  const plain = /^[A-Za-z0-9_./-]+$/.test(program);
  const word = plain ? program : `'${program.replace(/'/g, "'\\''")}'`;
  return command.replace(/^elsewise/, () => word);
}
