import { z } from 'zod'
import type { Db } from '../../core/db/db'
import type { WriteAsHolder } from '../../core/lease/leases'
import { AlinkError, alinkCode, deviceKey, parseParams } from '../protocol/alink'
import type { Directory, KnownDevice } from '../directory'
import type { SignedCredentials } from '../protocol/signature'
import { createAttemptRecorder } from './attemptRecorder'
import { createChildBindings } from './childBindings'
import { createChildLogins } from './childLogins'
import { createChildRegistration } from './childRegistration'
import { createChildVerifier, type ChildRefusalListener } from './childVerifier'
import type { DeviceSessions } from './deviceSessions'

const IdentityPart = z.string().min(1).max(64)
const IdentitySchema = z.object({ productKey: IdentityPart, deviceName: IdentityPart })
/** Alibaba's documents and SDKs use both `signMethod` and `signmethod`, and the timestamp as text or number. */
const SignedChild = IdentitySchema.extend({
  clientId: z.string().max(128).optional(),
  sign: z.string().max(128),
  timestamp: z.union([z.string(), z.number()]).transform(String).optional(),
  signMethod: z.string().optional(),
  signmethod: z.string().optional(),
})
const oneOrMany = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item).min(1).max(200), item.transform((one) => [one])])
const BatchLogin = z.object({
  signMethod: z.string().optional(),
  deviceList: z.array(SignedChild).min(1).max(50),
})
const toSignedCredentials = (
  { signmethod, signMethod, clientId, ...child }: z.output<typeof SignedChild>,
  method?: string,
): SignedCredentials => ({
  ...child,
  clientId: clientId ?? deviceKey(child),
  signMethod: signMethod ?? signmethod ?? method ?? 'hmacmd5',
})

/**
 * Handles the requests of a gateway about its sub-devices. Each handler returns the `data` of the reply.
 * @throws AlinkError with the reply code
 */
export function createTopology(
  db: Db,
  writeAsHolder: WriteAsHolder,
  directory: Directory,
  sessions: DeviceSessions,
  onRefused: ChildRefusalListener = () => {},
) {
  const { verifyChild, verifyLogin } = createChildVerifier(directory, onRefused)
  const recorder = createAttemptRecorder(db, writeAsHolder)
  const { assertNotBoundElsewhere } = recorder
  const bindings = createChildBindings({
    db,
    writeAsHolder,
    directory,
    sessions,
    verifyChild,
    assertNotBoundElsewhere,
  })
  const registration = createChildRegistration(db, writeAsHolder, directory, recorder)
  const { loginChildren, logoutChildren } = createChildLogins(directory, sessions, verifyLogin)

  const actions: Record<string, (gateway: KnownDevice, params: unknown) => Promise<unknown>> = {
    'thing/topo/add': async (gateway, params) =>
      bindings.addChildren(
        gateway,
        parseParams(oneOrMany(SignedChild), params).map((child) => toSignedCredentials(child)),
      ),
    'thing/topo/delete': async (gateway, params) =>
      bindings.deleteChildren(gateway, parseParams(oneOrMany(IdentitySchema), params)),
    'thing/topo/get': bindings.listChildren,
    /** Returns the secrets of devices that are not in use elsewhere: entered beforehand, or admitted by a rule. */
    'thing/sub/register': async (gateway, params) =>
      registration.registerChildren(gateway, parseParams(oneOrMany(IdentitySchema), params)),
    'combine/login': async (gateway, params) =>
      (await loginChildren(gateway, [toSignedCredentials(parseParams(SignedChild, params))]))[0],
    'combine/logout': async (gateway, params) =>
      (await logoutChildren(gateway, [parseParams(IdentitySchema, params)]))[0],
    'combine/batch_login'(gateway, params) {
      const { deviceList, signMethod } = parseParams(BatchLogin, params)
      return loginChildren(
        gateway,
        deviceList.map((child) => toSignedCredentials(child, signMethod)),
      )
    },
    'combine/batch_logout': (gateway, params) =>
      logoutChildren(gateway, parseParams(z.array(IdentitySchema).min(1).max(50), params)),
    async 'thing/list/found'(gateway, params) {
      await registration.assertHasFreeRecords(gateway)
      const identities = parseParams(oneOrMany(IdentitySchema), params)
      await registration.recordFoundChildren(gateway, identities)
      return {}
    },
  }
  return {
    handles: (action: string) => Object.hasOwn(actions, action),
    async answer(gateway: KnownDevice, action: string, params: unknown) {
      if (gateway.node !== 'gateway') throw new AlinkError(alinkCode.parameter, 'not a gateway')
      return actions[action]!(gateway, params)
    },
  }
}
export type Topology = ReturnType<typeof createTopology>
