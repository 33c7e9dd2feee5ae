// Hands a text to the browser as a file. I/O.

/** The address of the file is given back once the browser has taken it. */
const KEEP_ADDRESS_MS = 10_000;

export function handOver(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEEP_ADDRESS_MS);
}
