export const mapStatusText = { draft: '草稿', published: '已发布', archived: '已归档' }
