declare function readTypeScript(script: string, ...args: string[]): Promise<unknown>
export = readTypeScript
