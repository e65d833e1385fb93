import { BlockList, isIP } from 'node:net'
import type { registrationRule } from '../../tables/registration'

export type Rule = typeof registrationRule.$inferSelect

/**
 * Chooses the project in which a device registers if several projects have rules for its product: the project that
 * already has its serial, else the rule whose networks contain its address, else a rule without networks. A closed rule
 * is still chosen, so that a closed project does not hand its devices to another.
 */
export function chooseRule<R extends Pick<Rule, 'projectId' | 'mode' | 'addresses'>>(
  rules: R[],
  address: string,
  projectId?: number,
): R {
  const projectRule = rules.find((rule) => rule.projectId === projectId)
  if (projectRule) return projectRule
  const matchingRules = rules.filter(({ addresses }) => isInNetworks(addresses, address))
  const unrestrictedRules = rules.filter(({ addresses }) => addresses.length === 0)
  const candidates = [matchingRules, unrestrictedRules, rules].find((group) => group.length > 0)!
  // No rule but a `free` one can admit a device that was not entered beforehand.
  return candidates.find(({ mode }) => mode === 'free') ?? candidates[0]!
}

/** Returns true if an unknown device could register by either rule and its address does not decide. */
export function areAmbiguous(
  one: Pick<Rule, 'mode' | 'addresses'>,
  other: Pick<Rule, 'mode' | 'addresses'>,
) {
  if (one.mode !== 'free' || other.mode !== 'free') return false
  if (one.addresses.length === 0 || other.addresses.length === 0)
    return one.addresses.length === other.addresses.length
  const includes = (networks: string[], network: string) =>
    isInNetworks(networks, network.split('/')[0]!)
  return (
    other.addresses.some((network) => includes(one.addresses, network)) ||
    one.addresses.some((network) => includes(other.addresses, network))
  )
}

export function isInNetworks(networks: string[], address: string) {
  // A dual-stack socket reports IPv4 addresses as ::ffff:10.0.0.1.
  const plainAddress = address.replace(/^::ffff:(?=\d+\.)/, '')
  const family = (one: string) => (isIP(one) === 6 ? 'ipv6' : 'ipv4')
  if (!isIP(plainAddress)) return false
  const list = new BlockList()
  for (const network of networks) {
    const [base = '', bits] = network.split('/')
    if (!isIP(base)) continue
    if (bits === undefined) list.addAddress(base, family(base))
    else list.addSubnet(base, Number(bits), family(base))
  }
  return list.check(plainAddress, family(plainAddress))
}
