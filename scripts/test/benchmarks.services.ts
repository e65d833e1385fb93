import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root'

const benchmarks = readdirSync(join(root, 'scripts/bench'))
  .filter((file) => file.endsWith('.ts') && file !== 'index.ts')
  .map((file) => file.replace('.ts', ''))

/** Runs benchmarks in their small size in one process and returns its output by benchmark. */
async function runSmall() {
  const child = spawn('node_modules/.bin/tsx', ['scripts/bench/index.ts', '--small'], { cwd: root })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const status = await new Promise((resolve) => child.on('close', resolve))
  const sections = output.split(/^# /m).slice(1)
  const lines = sections.map((section) => section.split('\n').filter((line) => line.trim() !== ''))
  return { status, output, linesByName: new Map(lines.map(([name, ...rest]) => [name!, rest])) }
}

it('each benchmark ends without an error in its small size and prints figures', async () => {
  const { status, output, linesByName } = await runSmall()
  // A failed benchmark ends the run; its error is in the output.
  expect({ status, output }).toEqual({ status: 0, output: expect.any(String) })
  expect([...linesByName.keys()]).toEqual(benchmarks)
  for (const [name, lines] of linesByName)
    expect([name, lines.filter((line) => /\d/.test(line)).length]).not.toEqual([name, 0])
})
