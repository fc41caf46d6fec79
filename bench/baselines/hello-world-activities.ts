/** The baseline's activity: Temporal's hello-world sample, with nothing to do. */
export async function greet(name: string): Promise<string> {
  return name;
}
