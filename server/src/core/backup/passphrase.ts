import { readFileSync } from 'node:fs'

/**
 * Reads the passphrase: the first line of a file, because other users of the machine see arguments.
 * @throws Error if the file is missing or its passphrase is shorter than 12 characters
 */
export function readPassphrase(file: string) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Error(`读不到口令文件：${file}`, { cause })
  }
  const passphrase = text.split(/\r?\n/, 1)[0]!
  if (passphrase.length < 12) throw new Error(`口令文件 ${file} 的第一行至少 12 个字符`)
  return passphrase
}
