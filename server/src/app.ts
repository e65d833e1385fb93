import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import { hasPermission } from '@iot/shared/contract/endpoint'
import { releaseTrialApi } from '@iot/shared/contract/release/releaseTrial.api'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from 'fastify'
import { startDeviceAccess, type DeviceAccess } from './device-access/deviceAccess'
import type { Db } from './core/db/db'
import { openDatabase } from './core/db/openDatabase'
import { countCalls, type CallCounter } from './core/http/countCalls'
import type { CallHandler, ServedEndpoint } from './core/http/serve'
import { compressAnswers } from './core/http/compress'
import { addressGroup } from './core/http/addressGroup'
import { getBasePath, removeBasePath } from './core/http/publicAddress'
import { setSecurityHeaders } from './core/http/securityHeaders'
import {
  buildConnectionOptions,
  drainAtStop,
  limitConnections,
  rejectMalformedRequests,
} from './core/http/connections'
import { handleErrors, answerUnknownRoute } from './core/http/errors'
import { withMigrationLock, migrate, refuseNewerDatabase } from './core/db/migrate'
import { buildMemberName, jobsLease, waitForOlderMembers } from './core/lease/members'
import { createLeases, type Leases } from './core/lease/leases'
import { isDiskFull, isOutage, logOutageThrottled } from './core/db/outage'
import { Refusal } from './core/refusal'
import { logRequests } from './core/logging/requestLog'
import { createUserLimits } from './core/http/userLimits'
import { createReferenceRegistry, type ReferenceRegistry } from './core/http/references'
import { createUniquenessRegistry, type UniquenessRegistry } from './core/http/uniqueness'
import { serveOpenApi } from './core/http/openapi'
import { configureLog, log } from './core/logging/log'
import { createTaskRunner, type TaskRunner } from './core/tasks/taskRunner'
import { createControl, type ControlService } from './modules/control/control'
import { openDelayedControls, type DelayedControls } from './modules/control/delayedControls'
import { openSceneRunner, type SceneRunner } from './modules/scene/sceneRunner'
import { createEnergyRecorder, type EnergyRecorder } from './modules/energy/energyRecorder'
import { createAlarms, type Alarms } from './modules/alarm/alarms'
import {
  createPageNotifications,
  type PageNotifications,
} from './modules/notification/pageNotifications'
import { createOpenCounts, type OpenCounts } from './modules/shift/openCounts'
import { startRightsSync } from './modules/auth/rightsSync'
import { createSessionStore } from './modules/auth/sessions'
import { writeBrand } from './modules/baseConfig/writeBrand'
import {
  createPlatformSettings,
  toBaseConfig,
  type PlatformSettingsStore,
} from './modules/platformSettings/policy'
import type { Sessions } from './core/http/session'
import { syncReleasedMenus } from './syncReleasedMenus'
import { modules } from './modules'
import { serveMetrics } from './modules/health/metrics'
import { seed } from './seed'
import type { AppOptions } from './settings'
import { publishOnStart } from './site/publishOnStart'
import { Site } from './site/releases'
import { registerSite } from './site/site'

type FaultSource = 'server' | 'device' | 'broker'

declare module 'fastify' {
  interface FastifyInstance {
    db: Db
    database: Awaited<ReturnType<typeof openDatabase>>
    settings: AppOptions
    /** Every served endpoint; the OpenAPI document is built from it. */
    endpoints: ServedEndpoint[]
    /** Handlers of the served endpoints by method and path, for work that repeats calls of a user. */
    handlers: Map<string, CallHandler>
    sessions: Sessions
    platformSettings: PlatformSettingsStore
    userLimits: ReturnType<typeof createUserLimits>
    devices: DeviceAccess
    /** Leases of this process; `jobsLease` is for the periodic jobs. */
    leases: Leases
    /** Counts calls and server errors. */
    calls: CallCounter
    /** Refused sign-ins since the process started. */
    loginFailures: { count: number }
    /** Runs long tasks: control, import and export. */
    tasks: TaskRunner
    control: ControlService
    /** Runs scenes that are started by hand, by a schedule or by conditions. */
    delayedControls: DelayedControls
    scenes: SceneRunner
    /** Computes the energy use of lamps. */
    energy: EnergyRecorder
    /** Evaluates alarm rules and opens and resolves their incidents. */
    alarms: Alarms
    /** Sends notifications to the open pages of the console. */
    pageNotifications: PageNotifications
    /** Counts unacknowledged problems of each project. */
    shift: OpenCounts
    /** Emits `changed` when menus, roles or users changed, so that signed-in pages reload their permissions. */
    rights: EventEmitter<{ changed: [] }>
    /** Emits errors from background work; the error log listens. */
    faults: EventEmitter<{ fault: [source: FaultSource, error: Error, request?: FastifyRequest] }>
    reportError: (source: FaultSource, error: Error, request?: FastifyRequest) => void
    /** The first administrator has this generated password if this start created the account. */
    firstPassword?: string
    /** Registry of references that is asked before a row is removed; each module registers what it refers to. */
    references: ReferenceRegistry
    /** Registry of unique fields that forms may check while the user types; each module adds its table. */
    uniques: UniquenessRegistry
  }
}

/**
 * Builds the whole platform without opening an HTTP port: tests inject calls, `listen` opens it to the network.
 * @example const app = await buildApp({ database: { kind: 'server', url: process.env.DATABASE_URL! } })
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  configureLog({ level: options.logLevel, stream: options.logStream })
  const database = await openDatabase(options.database)
  const basePath = getBasePath(options.publicUrl)
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    // `logRequests` writes these lines, with the user's name and without the query.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'traceId' }),
    genReqId: () => randomUUID(),
    trustProxy: options.trustProxy ?? false,
    // Routes have no base path; web servers in front may pass it on or remove it.
    ...(basePath && {
      rewriteUrl: ({ url = '/' }: IncomingMessage) => removeBasePath(url, basePath),
    }),
    bodyLimit: 2 * 1024 * 1024,
    // Modules query the database before they are ready, which can take longer than Fastify's usual ten seconds on a
    // busy machine.
    pluginTimeout: 0,
    ...buildConnectionOptions(options.patience),
    // Path parameters longer than 200 characters are never valid ids.
    routerOptions: { maxParamLength: 200 },
  })
  drainAtStop(app, options.patience)
  rejectMalformedRequests(app)
  app.decorate('database', database)
  app.decorate('db', database.db)
  app.decorate('settings', { getter: () => options })
  limitConnections(app)
  app.decorate('endpoints', [])
  app.decorate('handlers', new Map())
  const rights: FastifyInstance['rights'] = new EventEmitter()
  app.decorate('rights', { getter: () => rights })
  const platformSettings = createPlatformSettings(database.db)
  app.decorate('platformSettings', { getter: () => platformSettings })
  // A change of the settings counts as a change of rights, which also arrives from other processes.
  rights.on('changed', () => platformSettings.forget())
  app.decorate(
    'sessions',
    createSessionStore(database.db, () => platformSettings.read()),
  )
  app.decorate('userLimits', createUserLimits(options.userLimits))
  const loginFailures = { count: 0 }
  app.decorate('loginFailures', { getter: () => loginFailures })
  app.decorate('references', createReferenceRegistry())
  app.decorate('uniques', createUniquenessRegistry())
  const faults: FastifyInstance['faults'] = new EventEmitter()
  app.decorate('faults', { getter: () => faults })
  app.decorate(
    'reportError',
    // An outage of the database cannot be stored in the error log and affects every call, so it is only logged.
    (source: FaultSource, error: Error, request?: FastifyRequest) =>
      isOutage(error) || isDiskFull(error)
        ? logOutageThrottled(error)
        : void faults.emit('fault', source, error, request),
  )
  app.rights.on('changed', app.sessions.forget)
  app.addHook('onClose', () => database.close())

  try {
    await refuseNewerDatabase(database.db)
    app.firstPassword = await withMigrationLock(
      database.db,
      database.kind === 'server',
      async () => {
        await waitForOlderMembers(database.db)
        await migrate(database.db)
        return seed(database.db, options)
      },
    )
    const isEmbedded = options.mqttUrl === undefined && options.mqttPort !== undefined
    if (!(await database.mayHaveBroker(isEmbedded)))
      throw new Error(
        '这个数据库正由另一个进程使用，而两者的设备消息不经同一个消息服务，会各看一半。多个进程请都用 MQTT_URL 指向同一个消息服务，见 docs/operating.md',
      )
    const isOnlyProcess = database.kind !== 'server' || options.mqttUrl === undefined
    const leases = createLeases(database.db, { isOnlyProcess })
    leases.want(await buildMemberName(leases.holder))
    // Scenes that are due need a process that can send commands.
    const canSendCommands = () => !app.hasDecorator('devices') || app.devices.broker() !== 'away'
    leases.want(jobsLease, { canHold: canSendCommands })
    app.decorate('leases', leases)
    const devices = await startDeviceAccess(
      database.db,
      options,
      (source, error) => app.reportError(source, error),
      leases,
    )
    app.decorate('devices', devices)
    // The device access closes before the database, because hooks run in reverse order of registration.
    app.addHook('onClose', () => devices.close())
    // The other processes take over before this one answers its last calls; those are forwarded to them.
    app.addHook('preClose', async () => {
      if (!isOnlyProcess) await devices.handOver()
    })
    const tasks = createTaskRunner(database.db, {
      alone: database.kind !== 'server',
      reportError: (error) => app.reportError('server', error),
      folder: options.results,
    })
    app.decorate('tasks', tasks)
    tasks.events.on('changed', (row) => devices.processMessages.broadcast('task', row))
    devices.processMessages.events.on('task', ({ id, status }) => {
      if (status === 'cancelled') tasks.abort(id, 'cancel')
    })
    app.addHook('onClose', () => tasks.close())
    const control = createControl(app)
    app.decorate('control', control)
    app.addHook('onClose', () => control.engine.close())
    const delayedControls = openDelayedControls(app, () => leases.isHeld(jobsLease))
    app.decorate('delayedControls', delayedControls)
    app.addHook('onClose', () => delayedControls.close())
    const scenes = openSceneRunner(app)
    app.decorate('scenes', scenes)
    app.addHook('onClose', () => scenes.close())
    const shift = createOpenCounts(database.db, devices, options.shift)
    app.decorate('shift', shift)
    scenes.events.on('unfinished', () => void shift.publish())
    app.addHook('onClose', () => shift.close())
    const energy = createEnergyRecorder(database.db, devices, options.mqttUrl === undefined, () =>
      leases.isHeld(jobsLease),
    )
    app.decorate('energy', energy)
    app.addHook('onClose', () => energy.close())
    app.decorate(
      'pageNotifications',
      createPageNotifications(devices.processMessages, options.mqttUrl !== undefined),
    )
    const alarms = createAlarms({
      db: database.db,
      devices,
      isJobHolder: () => leases.isHeld(jobsLease),
      dataFolder: options.data,
      certificateFile: options.mqttSecure?.certificate,
      backupAt: options.backup?.folder === undefined ? undefined : options.backup.at,
      options: options.alarm,
    })
    app.decorate('alarms', alarms)
    app.addHook('onClose', () => alarms.close())
    await alarms.start()
    acceptEmptyJson(app)
    setSecurityHeaders(app)
    logRequests(app, { writesLines: options.logLevel !== undefined })
    handleErrors(app)
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
    await tasks.start()
    await control.engine.open()
    if (options.database.kind === 'server') {
      const rightsSharing = startRightsSync(app)
      app.addHook('onClose', () => rightsSharing.stop())
      await rightsSharing.ready
    }
    await serveOpenApi(app)
    if (options.site) {
      const { folder, key, builds = [] } = options.site
      if (builds.length > 0) await publishOnStart(new Site(folder, { publicKey: key }), builds)
      const mayTry = (proof: string) =>
        app.sessions.findByProof(proof).then(
          ({ permissions }) => hasPermission(permissions, releaseTrialApi.start.permission),
          () => false,
        )
      await registerSite(app, {
        ...options.site,
        basePath,
        mayTry,
        writeBrand: async (html, page) =>
          writeBrand(html, toBaseConfig(await platformSettings.readForPage()), page),
      })
      await syncReleasedMenus(app, options.site)
    } else app.setNotFoundHandler(answerUnknownRoute)
    await app.ready()
  } catch (error) {
    await app.close()
    throw error
  }
  return app
}

/** Clients send the JSON content type on calls without a body, too. */
function acceptEmptyJson(app: FastifyInstance) {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, callback) =>
    body === '' ? callback(null, undefined) : parseJson(request, body as string, callback),
  )
}
