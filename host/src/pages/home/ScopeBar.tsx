import { Button, Flex } from 'antd'
import { useAtomValue } from 'jotai'
import type { ActionMode, SpaceLights } from '@iot/shared/contract/device'
import { rights } from '@iot/shared/contract/homeRights'
import type { Asked } from '@iot/shared/control/confirmControl'
import { useOutgoing } from '@iot/shared/control/useOutgoing'
import { Dot, type DotLook } from '@iot/shared/plan/dot'
import type { Counts, Only } from '@iot/shared/plan/lights'
import { lightsWithin, type SpaceTree } from '@iot/shared/plan/spaces'
import { buttonSettingAtom } from '@iot/shared/session/application'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { outgoingText } from '@iot/shared/session/outgoing'
import { MiddleCut } from '@iot/shared/ui/choiceStrip'
import { Right } from '@iot/shared/ui/right'
import { asking, isOfLights, textOf, verbOfLights } from './actions'
import { LightAllOff, LightAllOn } from './icons'
import type { HomeScope } from './useScope'
import * as styles from './home.module.css'

type ScopeBarProps = {
  tree: SpaceTree
  scope: HomeScope
  counts: ReadonlyMap<string, SpaceLights>
  modes: ActionMode[]
  busy: boolean
  onAsk: (asked: Asked) => void
}

/** Actions for other product types than lights have no icon. */
const icons: Record<string, React.ReactNode> = { all_on: <LightAllOn />, all_off: <LightAllOff /> }

/**
 * Shows the light counts of the scope, each of which filters the plan, and the actions with the name of their scope.
 */
export function ScopeBar({ tree, scope, counts, modes, busy, onAsk }: ScopeBarProps) {
  const lights = lightsWithin(tree, counts, scope.space?.id)
  return (
    <Flex gap={12} align="center" wrap justify="space-between">
      <LightCounts lights={lights} only={scope.only} onOnly={scope.toggleOnly} />
      <ScopeActions scope={scope} lights={lights} modes={modes} busy={busy} onAsk={onAsk} />
    </Flex>
  )
}

type LightCountsProps = {
  lights: Counts
  only?: Only
  /** The counts are not clickable without this callback. */
  onOnly?: (only: Only) => void
}

export function LightCounts({ lights, only: chosen, onOnly }: LightCountsProps) {
  const count = (only: Only, look: DotLook, label: string, value: number) => (
    <Count
      look={value === 0 && look === 'offline' ? 'off' : look}
      label={label}
      value={value}
      isBad={only === 'offline'}
      isOnly={chosen === only}
      onPress={onOnly && (() => onOnly(only))}
    />
  )
  return (
    <div className={styles.counts} role="status" aria-label="灯的统计">
      {count('on', 'on', '开', lights.on)}
      {count('off', 'off', '关', lights.off)}
      {lights.unknown > 0 && count('unknown', 'stale', '未知', lights.unknown)}
      {count('offline', 'offline', '离线', lights.offline)}
      {count('protected', 'protected', '受保护', lights.protected)}
    </div>
  )
}

type ScopeActionsProps = Pick<ScopeBarProps, 'modes' | 'busy' | 'onAsk'> & {
  scope: Pick<HomeScope, 'scope' | 'name' | 'fullName'>
  lights: Counts
}

export function ScopeActions({ scope, lights, modes, busy, onAsk }: ScopeActionsProps) {
  const { size } = useAtomValue(buttonSettingAtom)
  const projectId = useAtomValue(currentProjectIdAtom)
  const getOutgoing = useOutgoing()
  return (
    <Flex gap={8} wrap className={styles.actions}>
      {modes
        .filter(({ showOnHome }) => showOnHome)
        .map((mode) => {
          const verb = verbOfLights(mode)
          const asked = asking(mode, projectId, scope.scope, scope.fullName)
          const state = getOutgoing(asked.spoken)
          return (
            <Right
              key={mode.productType + mode.actionType}
              to={rights.bulkControl}
              unless={busy && '编辑模式下不下发命令'}
            >
              <Button
                size={size}
                icon={isOfLights(mode) && icons[mode.actionType]}
                loading={state !== undefined}
                title={state && outgoingText[state]}
                onClick={() => onAsk(asked)}
              >
                {state === 'sending' ? (
                  outgoingText.sending
                ) : state === 'unknown' ? (
                  '等待答复'
                ) : verb ? (
                  <>
                    {verb} <MiddleCut text={scope.name} />（{lights.reachable} 盏）
                  </>
                ) : (
                  textOf(mode)
                )}
              </Button>
            </Right>
          )
        })}
    </Flex>
  )
}

type CountProps = {
  look: DotLook
  label: string
  value: number
  isBad: boolean
  isOnly: boolean
  onPress?: () => void
}

function Count({ look, label, value, isBad, isOnly, onPress }: CountProps) {
  const names = [styles.count, isOnly && styles.only, isBad && value > 0 && styles.bad]
  const className = names.filter(Boolean).join(' ')
  const content = (
    <>
      <Dot look={look} />
      {label} <strong>{value}</strong>
    </>
  )
  if (!onPress) return <span className={`${className} ${styles.plain}`}>{content}</span>
  return (
    <button
      type="button"
      className={className}
      aria-pressed={isOnly}
      title={isOnly ? '显示全部' : `只看${label}`}
      onClick={onPress}
    >
      {content}
    </button>
  )
}
