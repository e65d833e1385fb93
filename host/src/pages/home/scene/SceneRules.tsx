import ConfigProvider from 'antd/es/config-provider'
import Form from 'antd/es/form'
import Segmented from 'antd/es/segmented'
import Skeleton from 'antd/es/skeleton'
import { toTextOptions } from '@iot/shared/contract/options'
import { sceneOrderText } from '@iot/shared/contract/control/scene'
import { FormGroup, fullRowStyle } from '@iot/shared/ui/formDialog'
import { RetryAlert } from '@iot/shared/ui/retryAlert'
import { Actions } from './Actions'
import { DayRules } from './DayRules'
import { Triggers } from './Triggers'
import type { useSceneOptions } from './useSceneOptions'

type SceneRulesProps = { projectId: number; read: ReturnType<typeof useSceneOptions> }

/** Edits the actions and triggers of a scene once the options are read. */
export function SceneRules({ projectId, read: optionsRead }: SceneRulesProps) {
  const { options, error, refresh } = optionsRead
  // A segmented control does not follow the form by itself.
  const { componentDisabled } = ConfigProvider.useConfig()
  if (error) return <RetryAlert type="warning" title={error.message} onRetry={refresh} />
  if (!options) return <Skeleton active paragraph={{ rows: 6 }} />
  return (
    <>
      <FormGroup title="动作">
        <Form.Item name="order" label="执行方式" style={fullRowStyle}>
          <Segmented options={toTextOptions(sceneOrderText)} disabled={componentDisabled} />
        </Form.Item>
        <Actions projectId={projectId} options={options} />
      </FormGroup>
      <FormGroup title="触发">
        <Triggers projectId={projectId} options={options} />
      </FormGroup>
      <FormGroup title="日历与静默">
        <DayRules options={options} />
      </FormGroup>
    </>
  )
}
