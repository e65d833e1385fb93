import Button from 'antd/es/button'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { ProjectDraft } from '@iot/shared/contract/project/managedProject.schema'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import { newProjectDefaults } from '@iot/shared/contract/project/newProject'
import { toTextOptions } from '@iot/shared/contract/options'
import { projectTypeText } from '@iot/shared/contract/project/projectStatus'
import { ManagedSpace } from '@iot/shared/contract/project/space.schema'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { field } from '@iot/shared/ui/field'
import { ChoiceItem, TextItem } from '@iot/shared/ui/items'
import { RegionField } from '@iot/shared/ui/regionField'
import { Can } from '@iot/shared/ui/right'
import { uniqueCheck } from '@iot/shared/ui/taken'
import { GuideStep } from './GuideStep'
import * as styles from './guide.module.css'
import type { Guide } from './useGuide'

const firstNames = { building: '1 号楼', floor: '1 层' }
const firstProject = { name: '', code: 'site-1', groupName: '默认分组', type: 'office' }
const { name: nameShape } = ManagedSpace.shape

type Values = Pick<ProjectDraft, 'name' | 'code' | 'groupName' | 'type' | 'areaCode'> & {
  building: string
  floor: string
}

/** Creates the project with a building and a floor; what exists already is not asked for. */
export function ProjectStep({ guide }: { guide: Guide }) {
  const { project, spaces } = guide
  const building = spaces.data?.find(({ type }) => type === 'building')
  const floor = spaces.data?.find(({ type }) => type === 'floor')
  const isDone = !!project && !!floor
  const summary = isDone
    ? `${project.fullname ?? project.name}，${spaces.data!.filter(({ type }) => type === 'floor').length} 个楼层`
    : '设备放在项目的楼层里'
  return (
    <GuideStep number={1} title="项目和楼层" isDone={isDone} summary={summary}>
      {!isDone && (!project || spaces.data) && (
        <ProjectFields guide={guide} buildingId={building?.id} />
      )}
    </GuideStep>
  )
}

function ProjectFields({ guide, buildingId }: { guide: Guide; buildingId: string | undefined }) {
  const { project, spaces } = guide
  const setProjectId = useSetAtom(currentProjectIdAtom)
  const [isSaving, setSaving] = useState(false)

  async function save({ building, floor, ...projectFields }: Values) {
    const projectId =
      project?.id ??
      (await call(managedProjectApi.create, { ...newProjectDefaults, ...projectFields })).projectId
    setProjectId(projectId)
    const parentId =
      buildingId ??
      (await call(spaceApi.create, { projectId, parentId: null, type: 'building', name: building }))
        .id
    await call(spaceApi.create, { projectId, parentId, type: 'floor', name: floor })
  }
  const submit = (values: Values) => {
    setSaving(true)
    // A second attempt finds the rows that were created before a failure and does not create them again.
    void save(values)
      .catch(ignoreHandled)
      .finally(() => {
        setSaving(false)
        // The places of a new project may have been read before its floor was created.
        spaces.refresh()
      })
  }
  return (
    <Form<Values>
      layout="vertical"
      initialValues={{ ...firstProject, ...firstNames }}
      onFinish={submit}
    >
      <div className={styles.fields}>
        {!project && (
          <>
            <TextItem of={ProjectDraft} name="name" autoFocus />
            <TextItem
              of={ProjectDraft}
              name="code"
              check={uniqueCheck('project', 'code')}
              extra="保存后不能修改"
            />
            <TextItem of={ProjectDraft} name="groupName" />
            <ChoiceItem of={ProjectDraft} name="type" options={toTextOptions(projectTypeText)} />
            <Form.Item {...field(ProjectDraft, 'areaCode')}>
              <RegionField />
            </Form.Item>
          </>
        )}
        {!buildingId && <SpaceNameItem name="building" label="楼栋" />}
        <SpaceNameItem name="floor" label="楼层" />
      </div>
      <Can to={project ? spaceApi.create : managedProjectApi.create}>
        <Button type="primary" htmlType="submit" loading={isSaving}>
          {project ? '新建楼层' : '新建项目和楼层'}
        </Button>
      </Can>
    </Form>
  )
}

const SpaceNameItem = ({ name, label }: { name: 'building' | 'floor'; label: string }) => (
  <Form.Item
    name={name}
    label={label}
    required
    rules={[
      {
        async validator(_, value: unknown) {
          const { success } = nameShape.safeParse(value)
          if (!success) throw new Error(`${label}名称为 1–64 个字`)
        },
      },
    ]}
  >
    <Input />
  </Form.Item>
)
