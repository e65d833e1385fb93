import type { Client } from 'aedes'
import { stripIpv4Prefix } from '../../core/http/addressGroup'
import { GuardedSocket } from './guardedSocket'

/** Returns IPv4 addresses in dotted form, even if the socket accepts both address families. */
export const getRemoteAddress = ({ conn }: Client) =>
  conn instanceof GuardedSocket ? stripIpv4Prefix(conn.remoteAddress) : ''
