import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const debianRoot = '/usr/lib/postgresql'

/** Returns the folder of PostgreSQL's programs; Debian keeps them outside the PATH, in one folder per version. */
function findPostgresFolder() {
  const versions = existsSync(debianRoot)
    ? readdirSync(debianRoot).sort((a, b) => Number(b) - Number(a))
    : []
  const folders = [
    ...versions.map((version) => join(debianRoot, version, 'bin')),
    ...listPathFolders(),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')))
}
const listPathFolders = () => [
  ...(process.env.PATH ?? '').split(delimiter),
  '/usr/sbin',
  '/usr/local/sbin',
]

/**
 * Finds PostgreSQL, Mosquitto and nginx on this machine; `missing` names those that are not installed. Only one test
 * needs nginx, so it is not among them.
 */
export function findInstalledServices() {
  const postgres = findPostgresFolder()
  const findProgram = (name: string) =>
    listPathFolders()
      .map((folder) => join(folder, name))
      .find((file) => existsSync(file))
  const mosquitto = findProgram('mosquitto')
  const nginx = findProgram('nginx')
  const missingServices = [!postgres && 'PostgreSQL', !mosquitto && 'Mosquitto'].filter(
    (name) => name !== false,
  )
  return { postgres, mosquitto, nginx, missing: missingServices }
}
