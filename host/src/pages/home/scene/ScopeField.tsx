import { Flex } from 'antd'
import type { Scope } from '@iot/shared/contract/control.schema'
import { DevicesField } from '@iot/shared/control/devicesField'
import { ScopeSelect } from '../ScopeSelect'
import type { SceneOptions } from './useSceneOptions'

type ScopeFieldProps = {
  projectId: number
  spaces: SceneOptions['spaces']
  groups: SceneOptions['groups']
  productType?: string
  value?: Scope
  onChange?: (scope: Scope) => void
  id?: string
}

/** Selects the scope of an action: a space, a group or single devices. */
export function ScopeField(props: ScopeFieldProps) {
  const { projectId, productType, value = { kind: 'project' }, onChange, ...select } = props
  return (
    <Flex vertical gap={8}>
      <ScopeSelect {...select} withDevices value={value} onChange={onChange} />
      {value.kind === 'devices' && (
        <DevicesField
          {...{ projectId, productType }}
          value={value.deviceIds}
          onChange={(deviceIds) => onChange?.({ kind: 'devices', deviceIds })}
        />
      )}
    </Flex>
  )
}
