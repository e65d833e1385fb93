import type { Identity } from '../protocol/alink'
import type { SignedCredentials } from '../protocol/signature'
import type { RegisterDevice } from '../registration/registration'
import type { RefusedConnection } from './refusalLog'
import type { TopicScope } from './topicAccess'

/** The platform's answers to the questions of the broker. */
export type BrokerAuthority = {
  register: RegisterDevice
  /** Returns `yes` if the device is known and enabled and its signature is valid, `slowed` if it connects too often. */
  admits: (credentials: SignedCredentials, address: string) => Promise<'yes' | 'no' | 'slowed'>
  /** Records a connection that was refused before its device was looked up. */
  recordRefusal: (refusal: Omit<RefusedConnection, 'device'>) => Promise<void>
  getChildren: (gateway: Identity) => TopicScope['children']
  /** Returns the key of the gateway through which a sub-device is logged in. */
  findGatewayKey: (child: string) => string | undefined
  /**
   * Returns true if the gateway may speak for the sub-device; it reads the database, because an external broker may ask
   * any process.
   */
  canActFor: (gateway: Identity, child: Identity) => Promise<boolean>
  /**
   * Returns true if the topic concerns a sub-device without a session: the gateway has received error 520 and the
   * message is dropped.
   */
  rejectChildMessage: (gateway: Identity, topic: string, payload?: Buffer) => Promise<boolean>
}
