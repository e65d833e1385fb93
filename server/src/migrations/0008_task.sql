CREATE TABLE "task" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"project_id" integer,
	"owner_id" uuid,
	"create_by" text NOT NULL,
	"status" text NOT NULL,
	"counts" jsonb NOT NULL,
	"total" integer NOT NULL,
	"reason" text NOT NULL,
	"file" jsonb,
	"detail" jsonb NOT NULL,
	"listed" boolean NOT NULL,
	"claimed_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"done_time" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "task_owner" ON "task" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "task_project" ON "task" USING btree ("project_id","id");--> statement-breakpoint
CREATE INDEX "task_open" ON "task" USING btree ("update_time") WHERE "task"."done_time" is null;--> statement-breakpoint
INSERT INTO "task" ("id", "kind", "title", "project_id", "owner_id", "create_by", "status", "counts", "total", "reason", "detail", "listed", "claimed_by", "create_time", "update_time", "done_time")
SELECT c."id", 'control', c."title", c."project_id", u."id", c."create_by", c."status", c."counts", c."total", '', jsonb_build_object('origin', c."origin", 'permission', c."permission", 'sourceId', c."source_id"), c."total" > 1, '', c."create_time", c."update_time", c."done_time"
FROM "control_task" c LEFT JOIN "user_account" u ON u."username" = c."create_by";--> statement-breakpoint
DROP TABLE "control_task" CASCADE;
