import { Alert, Button, Form, Segmented, Skeleton } from 'antd'
import { optionsOf } from '@iot/shared/contract/options'
import { sceneOrderText } from '@iot/shared/contract/scene'
import { FormGroup, wholeLine } from '@iot/shared/ui/formDialog'
import { Actions } from './Actions'
import { DayRules } from './DayRules'
import { Preview } from './Preview'
import { Triggers } from './Triggers'
import type { useOptions } from './useOptions'

type SceneRulesProps = { projectId: number; id?: string; read: ReturnType<typeof useOptions> }

/** Edits the actions and triggers of a scene once the options are read. */
export function SceneRules({ projectId, id, read }: SceneRulesProps) {
  const { options, error, refresh } = read
  if (error)
    return (
      <Alert
        type="warning"
        showIcon
        title={error.message}
        action={
          <Button size="small" onClick={refresh}>
            重试
          </Button>
        }
      />
    )
  if (!options) return <Skeleton active paragraph={{ rows: 6 }} />
  return (
    <>
      <FormGroup title="动作">
        <Form.Item name="order" label="执行方式" style={wholeLine}>
          <Segmented options={optionsOf(sceneOrderText)} />
        </Form.Item>
        <Actions projectId={projectId} options={options} />
      </FormGroup>
      <FormGroup title="触发">
        <Triggers projectId={projectId} options={options} />
      </FormGroup>
      <FormGroup title="日历与静默">
        <DayRules options={options} />
      </FormGroup>
      <FormGroup title="预览">
        <div style={wholeLine}>
          <Preview {...{ projectId, id }} />
        </div>
      </FormGroup>
    </>
  )
}
