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

/** Finds PostgreSQL and Mosquitto on this machine; `missingServices` names those that are not installed. */
export function findInstalledServices() {
  const postgres = findPostgresFolder()
  const mosquitto = listPathFolders()
    .map((folder) => join(folder, 'mosquitto'))
    .find((file) => existsSync(file))
  const missingServices = [!postgres && 'PostgreSQL', !mosquitto && 'Mosquitto'].filter(
    (name) => name !== false,
  )
  return { postgres, mosquitto, missing: missingServices }
}
