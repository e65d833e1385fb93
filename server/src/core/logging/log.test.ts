import Fastify, { LogController } from 'fastify'
import { configureLog, log } from './log'
import { logRequests } from './requestLog'

afterEach(() => configureLog({ level: 'silent' }))

it('writes lines with a module and warnings as plain text, and no notices of Fastify, without a level', () => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true)
  configureLog({})
  log.info('Server listening at http://127.0.0.1:8080')
  log.info({ module: 'database' }, '正在恢复数据')
  log.warn('没有模块的警告')
  const lines = write.mock.calls.map(([line]) => line)
  write.mockRestore()
  expect(lines).toEqual(['正在恢复数据\n', '没有模块的警告\n'])
})

it('writes JSON with module and fields to the given stream', () => {
  const lines: string[] = []
  configureLog({ level: 'info', stream: { write: (line) => void lines.push(line) } })
  log.debug('hidden')
  log.error({ module: 'broker', device: 'pk&lamp', err: new Error('refused') }, 'Not stored')
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { module: 'broker', device: 'pk&lamp', msg: 'Not stored', err: { message: 'refused' } },
  ])
})

it.each([true, false])(
  'sends the id of a call, also where lines are written: %s',
  async (writesLines) => {
    const lines: string[] = []
    configureLog({ level: 'info', stream: { write: (line) => void lines.push(line) } })
    const logController = new LogController({ disableRequestLogging: true })
    const app = Fastify({ loggerInstance: log, logController, genReqId: () => 'call-1' })
    logRequests(app as never, { writesLines })
    app.get('/v1/file', () => 'ok')
    const answer = await app.inject('/v1/file?ticket=secret')
    await app.close()
    expect(answer.headers['x-request-id']).toBe('call-1')
    const requestLines = lines.filter((line) => line.includes('request answered'))
    expect(requestLines).toHaveLength(writesLines ? 1 : 0)
    expect(lines.join()).not.toContain('secret')
  },
)
