import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { ActionMode, SpaceLights } from '@iot/shared/contract/device/device.schema'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import { useInFlightState } from '@iot/shared/control/useOutgoing'
import { Dot, type DotLook } from '@iot/shared/plan/dot'
import type { LightStateCounts, LightFilter } from '@iot/shared/plan/lights'
import { sumLightCounts, type SpaceTree } from '@iot/shared/plan/spaces'
import { getFloorPath } from '@iot/shared/screens/paths'
import { buttonSettingAtom } from '@iot/shared/session/application'
import { useCan } from '@iot/shared/session/can'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { inFlightText } from '@iot/shared/session/outgoing'
import { MiddleEllipsis } from '@iot/shared/ui/choiceStrip'
import { Can } from '@iot/shared/ui/right'
import { createBulkAction, isLightMode, getModeText, getLightVerb } from './bulkActions'
import { HoldButton } from './HoldButton'
import { LightAllOff, LightAllOn } from './icons'
import type { HomeScope } from './useScope'
import * as styles from './home.module.css'

type ScopeBarProps = {
  tree: SpaceTree
  scope: HomeScope
  counts: ReadonlyMap<string, SpaceLights>
  modes: ActionMode[]
  busy: boolean
  onAsk: (action: ControlConfirmation) => void
}

/** Actions for other product types than lights have no icon. */
const icons: Record<string, ReactNode> = { all_on: <LightAllOn />, all_off: <LightAllOff /> }

/**
 * Shows the light counts of the scope, each of which filters the plan, and the actions with the name of their scope.
 */
export function ScopeBar({ tree, scope, counts, modes, busy, onAsk }: ScopeBarProps) {
  const lights = sumLightCounts(tree, counts, scope.space?.id)
  const can = useCan()
  const { size } = useAtomValue(buttonSettingAtom)
  const projectId = useAtomValue(currentProjectIdAtom)
  return (
    <Flex gap={12} align="center" wrap justify="space-between">
      <Flex gap={12} align="center" wrap>
        {scope.space?.type === 'floor' && can(spaceApi.get) && (
          <Link to={getFloorPath(scope.space.id)} title={`${scope.fullName}的设备、场景和记录`}>
            {scope.name}
          </Link>
        )}
        <LightCounts lights={lights} only={scope.only} onOnly={scope.toggleOnly} />
      </Flex>
      <ScopeActions scope={scope} lights={lights} modes={modes} busy={busy} onAsk={onAsk}>
        {scope.scope.kind === 'space' && (
          <HoldButton
            size={size}
            projectId={projectId}
            choices={[{ name: scope.fullName, scope: scope.scope }]}
          />
        )}
      </ScopeActions>
    </Flex>
  )
}

type LightCountsProps = {
  lights: LightStateCounts
  only?: LightFilter
  /** The counts are not clickable without this callback. */
  onOnly?: (only: LightFilter) => void
}

export function LightCounts({ lights, only: activeFilter, onOnly }: LightCountsProps) {
  const renderCount = (filter: LightFilter, look: DotLook, label: string, value: number) => (
    <CountButton
      look={value === 0 && look === 'offline' ? 'off' : look}
      label={label}
      value={value}
      isBad={filter === 'offline'}
      isOnly={activeFilter === filter}
      onPress={onOnly && (() => onOnly(filter))}
    />
  )
  return (
    <div className={styles.counts} role="status" aria-label="灯的统计">
      {renderCount('on', 'on', '开', lights.on)}
      {renderCount('off', 'off', '关', lights.off)}
      {lights.unknown > 0 && renderCount('unknown', 'stale', '未知', lights.unknown)}
      {renderCount('offline', 'offline', '离线', lights.offline)}
      {lights.inactive > 0 && renderCount('inactive', 'inactive', '未激活', lights.inactive)}
      {renderCount('protected', 'protected', '受保护', lights.protected)}
    </div>
  )
}

type ScopeActionsProps = Pick<ScopeBarProps, 'modes' | 'busy' | 'onAsk'> & {
  scope: Pick<HomeScope, 'scope' | 'name' | 'fullName'>
  lights: LightStateCounts
  /** Further actions for the scope. */
  children?: ReactNode
}

export function ScopeActions({ scope, lights, modes, busy, onAsk, children }: ScopeActionsProps) {
  const { size } = useAtomValue(buttonSettingAtom)
  const projectId = useAtomValue(currentProjectIdAtom)
  const getOutgoing = useInFlightState()
  return (
    <Flex gap={8} wrap className={styles.actions}>
      {modes
        .filter(({ showOnHome }) => showOnHome)
        .map((mode) => {
          const verb = getLightVerb(mode)
          const action = createBulkAction(mode, projectId, scope.scope, scope.fullName)
          const state = getOutgoing(action.spoken)
          return (
            <Can
              key={mode.productType + mode.actionType}
              to={devicePermissions.bulkControl}
              unless={busy && '编辑模式下不下发命令'}
            >
              <Button
                size={size}
                icon={isLightMode(mode) && icons[mode.actionType]}
                loading={state !== undefined}
                title={state && inFlightText[state]}
                onClick={() => onAsk(action)}
              >
                {state === 'sending' ? (
                  inFlightText.sending
                ) : state === 'unknown' ? (
                  '等待答复'
                ) : verb ? (
                  <>
                    {verb} <MiddleEllipsis text={scope.name} />（{lights.reachable} 盏）
                  </>
                ) : (
                  getModeText(mode)
                )}
              </Button>
            </Can>
          )
        })}
      {children}
    </Flex>
  )
}

type CountButtonProps = {
  look: DotLook
  label: string
  value: number
  isBad: boolean
  isOnly: boolean
  onPress?: () => void
}

function CountButton({ look, label, value, isBad, isOnly, onPress }: CountButtonProps) {
  const classNames = [styles.count, isOnly && styles.only, isBad && value > 0 && styles.bad]
  const className = classNames.filter(Boolean).join(' ')
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
