import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import { useSetAtom } from 'jotai'
import { call } from '../client/call'
import type { ManualOverride } from '../contract/control/manualOverride.schema'
import { manualOverrideApi } from '../contract/control/manualOverride.api'
import { devicePermissions } from '../contract/device/devicePermissions'
import { formatOverride } from '../plan/lights'
import { overrideRevisionAtom } from '../session/overrides'
import { Can } from '../ui/right'

type EndOverrideButtonProps = { override: ManualOverride }

/** Ends an override. If a colleague was faster, it is gone as well, so the list is read again either way. */
export function EndOverrideButton({ override }: EndOverrideButtonProps) {
  const setRevision = useSetAtom(overrideRevisionAtom)
  const { run, loading } = useRequest(() => call(manualOverrideApi.end, { id: override.id }), {
    manual: true,
    onError: () => {},
    onFinally: () => setRevision((count) => count + 1),
  })
  // The hold of a place or of several devices was a bulk command, and so is its end.
  const isSingle = override.spaceIds.length === 0 && override.deviceIds.length === 1
  return (
    <Can to={isSingle ? devicePermissions.control : devicePermissions.bulkControl}>
      <Button
        type="link"
        size="small"
        loading={loading}
        aria-label={`解除${override.place}的手动保持`}
        onClick={run}
      >
        解除
      </Button>
    </Can>
  )
}

/** Says on the page of a held device until when and by whom it is held, why, and with what else. */
export function HeldNotice({ override }: EndOverrideButtonProps) {
  const { place, devices, unit, reason } = override
  const scope = devices > 1 ? `${place}，共 ${devices} ${unit}` : ''
  return (
    <Flex align="center" justify="space-between" gap={8} role="note">
      <span>
        {formatOverride(override)}
        {[scope, reason].filter(Boolean).map((text) => `；${text}`)}
      </span>
      <EndOverrideButton override={override} />
    </Flex>
  )
}
