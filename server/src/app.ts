import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import { holds, type Endpoint } from '@iot/shared/contract/endpoint'
import { releaseTrialApi } from '@iot/shared/contract/releaseTrial'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { startDeviceAccess, type DeviceAccess } from './device-access/deviceAccess'
import type { Db } from './core/db/db'
import { openDatabase } from './core/db/open'
import { countCalls, type Calls } from './core/serve/countCalls'
import { compressAnswers } from './core/serve/compress'
import { addressGroup } from './core/serve/addressGroup'
import { headAnswers } from './core/serve/answerHeaders'
import {
  connectionOptions,
  drainAtStop,
  limitConnections,
  refuseOddCalls,
} from './core/serve/connections'
import { answerErrors, unknownCall } from './core/serve/errors'
import { alone, migrate, refuseNewerDatabase } from './core/db/migrate'
import { isFull, isOutage, sayOutage } from './core/db/outage'
import { Refusal } from './core/refusal'
import { createUserLimits } from './core/serve/userLimits'
import { openReferences, type References } from './core/serve/references'
import { openUniques, type Uniques } from './core/serve/unique'
import { serveOpenApi } from './core/serve/openapi'
import { safeLogging } from './core/safeError'
import { openTasks, type Tasks } from './core/tasks/tasks'
import { openControl, type Control } from './modules/control/begin'
import { openSceneRuns, type SceneRuns } from './modules/scene/runs'
import { openEnergy, type Energy } from './modules/energy/watch'
import { openShift, type Shift } from './modules/shift/watch'
import { shareRights } from './modules/auth/shareRights'
import { openSessions } from './modules/auth/sessions'
import type { Sessions } from './core/serve/session'
import { followSite } from './followSite'
import { modules } from './modules'
import { serveMetrics } from './modules/health/metrics'
import { seed } from './seed'
import type { AppOptions } from './settings'
import { site } from './site/site'

type FaultSource = 'server' | 'device' | 'broker'

declare module 'fastify' {
  interface FastifyInstance {
    db: Db
    database: Awaited<ReturnType<typeof openDatabase>>
    settings: AppOptions
    /** Every served endpoint; the OpenAPI document is built from it. */
    endpoints: Endpoint[]
    sessions: Sessions
    userLimits: ReturnType<typeof createUserLimits>
    devices: DeviceAccess
    /** Counts calls and server errors. */
    calls: Calls
    /** Runs long tasks: control, import and export. */
    tasks: Tasks
    control: Control
    /** Runs scenes that are started by hand, by a schedule or by conditions. */
    scenes: SceneRuns
    /** Computes the energy use of lamps. */
    energy: Energy
    /** Records incidents for the next shift. */
    shift: Shift
    /** Emits `changed` when menus, roles or users changed, so that signed-in pages reload their permissions. */
    rights: EventEmitter<{ changed: [] }>
    /** Emits errors from background work; the error log listens. */
    faults: EventEmitter<{ fault: [source: FaultSource, error: Error, request?: FastifyRequest] }>
    reportError: (source: FaultSource, error: Error, request?: FastifyRequest) => void
    /** The first administrator has this generated password if this start created the account. */
    firstPassword?: string
    /** Registry of references that is asked before a row is removed; each module registers what it refers to. */
    references: References
    /** Registry of unique fields that forms may check while the user types; each module adds its table. */
    uniques: Uniques
  }
}

/**
 * Builds the whole platform without opening an HTTP port: tests inject calls, `listen` opens it to the network.
 * @example const app = await buildApp({ database: { kind: 'memory' } })
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const database = await openDatabase(options.database)
  const app = fastify({
    logger: options.logLevel
      ? { level: options.logLevel, stream: options.logStream, ...safeLogging }
      : false,
    genReqId: () => randomUUID(),
    trustProxy: options.trustProxy ?? false,
    bodyLimit: 2 * 1024 * 1024,
    // Modules query the database before they are ready, which can take longer than Fastify's usual ten seconds on a
    // busy machine.
    pluginTimeout: 0,
    ...connectionOptions(options.patience),
    // Path parameters longer than 200 characters are never valid ids.
    routerOptions: { maxParamLength: 200 },
  })
  drainAtStop(app, options.patience)
  refuseOddCalls(app)
  app.decorate('database', database)
  app.decorate('db', database.db)
  app.decorate('settings', { getter: () => options })
  limitConnections(app)
  app.decorate('endpoints', [])
  const rights: FastifyInstance['rights'] = new EventEmitter()
  app.decorate('rights', { getter: () => rights })
  app.decorate('sessions', openSessions(database.db))
  app.decorate('userLimits', createUserLimits(options.userLimits))
  app.decorate('references', openReferences())
  app.decorate('uniques', openUniques())
  const faults: FastifyInstance['faults'] = new EventEmitter()
  app.decorate('faults', { getter: () => faults })
  app.decorate(
    'reportError',
    // An outage of the database cannot be stored in the error log and affects every call, so it is only logged.
    (source: FaultSource, error: Error, request?: FastifyRequest) =>
      isOutage(error) || isFull(error)
        ? sayOutage(error)
        : void faults.emit('fault', source, error, request),
  )
  app.rights.on('changed', app.sessions.forget)
  app.addHook('onClose', () => database.close())

  try {
    await refuseNewerDatabase(database.db)
    app.firstPassword = await alone(database.db, database.kind === 'server', async () => {
      await migrate(database.db)
      return seed(database.db, options)
    })
    const isEmbedded = options.mqttUrl === undefined && options.mqttPort !== undefined
    if (!(await database.mayHaveBroker(isEmbedded)))
      throw new Error(
        '这个数据库正由另一个进程使用，而两者的设备消息不经同一个消息服务，会各看一半。多个进程请都用 MQTT_URL 指向同一个消息服务，见 docs/operating.md',
      )
    const devices = await startDeviceAccess(database.db, options, (source, error) =>
      app.reportError(source, error),
    )
    app.decorate('devices', devices)
    // The device access closes before the database, because hooks run in reverse order of registration.
    app.addHook('onClose', () => devices.close())
    const tasks = openTasks(database.db, {
      alone: database.kind !== 'server',
      reportError: (error) => app.reportError('server', error),
      folder: options.results,
    })
    app.decorate('tasks', tasks)
    tasks.events.on('changed', (row) => devices.siblings.tell('task', row))
    app.addHook('onClose', () => tasks.close())
    const control = openControl(app)
    app.decorate('control', control)
    app.addHook('onClose', () => control.engine.close())
    const scenes = openSceneRuns(app)
    app.decorate('scenes', scenes)
    app.addHook('onClose', () => scenes.close())
    const shift = openShift(database.db, devices, tasks, options.shift)
    app.decorate('shift', shift)
    scenes.events.on('unfinished', shift.told)
    app.addHook('onClose', () => shift.close())
    const energy = openEnergy(database.db, devices, options.mqttUrl === undefined)
    app.decorate('energy', energy)
    app.addHook('onClose', () => energy.close())
    acceptEmptyJson(app)
    headAnswers(app)
    answerErrors(app)
    compressAnswers(app)
    await app.register(rateLimit, {
      global: false,
      keyGenerator: ({ ip }) => addressGroup(ip),
      errorResponseBuilder: (_, { ttl }) =>
        new Refusal(429, `操作过于频繁，请 ${Math.ceil(ttl / 1000)} 秒后再试`, null, 429),
    })
    await app.register(multipart, { limits: { files: 1, fields: 5 } })
    serveMetrics(app)
    app.decorate('calls', countCalls(app))
    for (const module of modules) await app.register(async (scope) => module(scope))
    await tasks.begin()
    if (options.database.kind === 'server') {
      const sharing = shareRights(app)
      app.addHook('onClose', async () => sharing.stop())
      await sharing.ready
    }
    await serveOpenApi(app)
    if (options.site) {
      const mayTry = (proof: string) =>
        app.sessions.proved(proof).then(
          ({ permissions }) => holds(permissions, releaseTrialApi.start.permission),
          () => false,
        )
      await site(app, { ...options.site, mayTry })
      await followSite(app, options.site)
    } else app.setNotFoundHandler(unknownCall)
    await app.ready()
  } catch (error) {
    await app.close()
    throw error
  }
  return app
}

/** Clients send the JSON content type on calls without a body, too. */
function acceptEmptyJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parse(request, body as string, done),
  )
}
