import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingNames } from 'server/src/settings'
import { productVersion } from 'server/src/core/version'
import { root } from '../root'

const readDeployFile = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')
const cluster = readDeployFile('compose.cluster.yaml')

/** Names in the `environment` of the services that run the platform. */
function listPlatformSettings(compose: string) {
  const [, , block] = /\n( +)environment:.*\n((?:\1 +.*\n)+)/.exec(compose)!
  return [...block!.matchAll(/^ +([A-Z_]+):/gm)].map(([, name]) => name!)
}

it.each(['compose.yaml', 'compose.cluster.yaml'])(
  'sets only settings that exist and names the image by the version: %s',
  (file) => {
    const compose = readDeployFile(file)
    const names = listPlatformSettings(compose)
    expect(names).toContain('PUBLIC_URL')
    expect(names.filter((name) => !settingNames.includes(name as never))).toEqual([])
    expect(compose).toContain(`image: iot-console:${productVersion}\n`)
  },
)

it('lists every variable of the cluster in its example', () => {
  const variables = [...cluster.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!)
  const example = readDeployFile('compose.env.example')
  expect(variables.length).toBeGreaterThan(5)
  expect(variables.filter((name) => !new RegExp(`^${name}=`, 'm').test(example))).toEqual([])
})

it('mounts only files of this folder', () => {
  const mounts = [...cluster.matchAll(/- \.\/([\w.-]+):/g)].map(([, name]) => name!)
  expect(mounts).toEqual(['mosquitto.conf', 'nginx.conf'])
  for (const name of mounts) expect(readDeployFile(name)).not.toBe('')
})

it('replaces both addresses of nginx.conf by the names of the processes', () => {
  const replacements = [...cluster.matchAll(/-e 's\/([^/]+)\/([^/]+)\/'/g)]
  const config = replacements.reduce(
    (text, [, from, to]) => text.replace(from!, to!),
    readDeployFile('nginx.conf'),
  )
  expect(config).toContain('server platform-1:8080 ')
  expect(config).toContain('server platform-2:8080 ')
  expect(config).not.toMatch(/server 127\.0\.0\.1/)
})
