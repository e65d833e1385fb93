import { Alert, Button, Form, Input, InputNumber, Segmented, Select, Skeleton, Switch } from 'antd'
import { useState } from 'react'
import {
  Scene,
  SceneDraft,
  sceneApi,
  sceneOrderText,
  type Trigger,
} from '@iot/shared/contract/scene'
import { wordsOfDayTypes, wordsOfTrigger } from '@iot/shared/contract/sceneText'
import type { DayType } from '@iot/shared/contract/calendarDay'
import { rights } from '@iot/shared/contract/homeRights'
import { optionsOf } from '@iot/shared/contract/options'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, sendTo, wholeLine } from '@iot/shared/ui/formDialog'
import { Right } from '@iot/shared/ui/right'
import { sceneIcons, SceneIcon } from '../SceneIcon'
import { Actions } from './Actions'
import { DayRules } from './DayRules'
import { Preview } from './Preview'
import { Triggers } from './Triggers'
import { draftOf } from './draft'
import { useOptions } from './useOptions'

type SceneFormProps = {
  projectId: number
  scene?: Scene
  /** Of a new one. */
  sort: number
  onSaved: (scene: Scene) => void
  onTry: (scene: Scene) => void
  onClose: () => void
}
const blank = {
  ...{ name: '', icon: 'BulbOutlined', status: 'enabled', order: 'parallel' },
  ...{ actions: [], triggers: [], calendarId: null, dayMode: 'ignore', dayTypes: [] },
  ...{ silenceMinutes: 0, quietFrom: null, quietTo: null },
} as const
const send = sendTo(sceneApi, SceneDraft.extend({ projectId: Scene.shape.projectId }), SceneDraft)
const show = (name: string, value: unknown) => {
  if (name === 'actions') return `${(value as unknown[]).length} 个动作`
  if (name === 'triggers') return (value as Trigger[]).map(wordsOfTrigger).join('；') || '手动'
  if (name === 'dayTypes') return wordsOfDayTypes(value as DayType[])
  return undefined
}

/** A scene is edited without a command being sent; 试运行 is a press of its own. */
export default function SceneForm({ projectId, scene, sort, ...on }: SceneFormProps) {
  const { options, error, refresh } = useOptions(projectId)
  const [isChanged, setChanged] = useState(false)
  const initial = (scene ?? { ...blank, sort, projectId }) as Scene

  return (
    <FormDialog<Scene>
      title={scene ? `编辑场景“${scene.name}”` : '新建场景'}
      schema={Scene}
      initial={initial}
      send={send}
      onSaved={(saved) => on.onSaved(saved as Scene)}
      onClose={on.onClose}
      onValuesChange={() => setChanged(true)}
      show={show}
      draft={draftOf(projectId)}
      wide
      extra={
        <Right to={rights.scene} unless={(!scene || isChanged) && '保存后可以试运行'}>
          <Button onClick={() => scene && on.onTry(scene)}>试运行</Button>
        </Right>
      }
    >
      <FormGroup title="场景">
        <Form.Item {...field(Scene, 'name')}>
          <Input maxLength={64} />
        </Form.Item>
        <Form.Item {...field(Scene, 'icon')}>
          <Select
            options={Object.entries(sceneIcons).map(([value, { label }]) => ({
              value,
              label: (
                <>
                  <SceneIcon name={value} /> {label}
                </>
              ),
            }))}
          />
        </Form.Item>
        <Form.Item {...field(Scene, 'sort')}>
          <InputNumber min={1} style={{ width: '100%' }} />
        </Form.Item>
        <Form.Item
          name="status"
          label="启用"
          valuePropName="checked"
          getValueProps={(status) => ({ checked: status === 'enabled' })}
          normalize={(checked) => (checked ? 'enabled' : 'disabled')}
        >
          <Switch aria-label="启用" />
        </Form.Item>
      </FormGroup>
      {error ? (
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
      ) : !options ? (
        <Skeleton active paragraph={{ rows: 6 }} />
      ) : (
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
              <Preview projectId={projectId} />
            </div>
          </FormGroup>
        </>
      )}
    </FormDialog>
  )
}
