CREATE TABLE "control_approval" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" integer NOT NULL,
	"request" jsonb NOT NULL,
	"title" text NOT NULL,
	"reason" text NOT NULL,
	"affected" integer NOT NULL,
	"protected" integer NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"asker_id" uuid NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"expire_time" timestamp with time zone NOT NULL,
	"answer_by" text DEFAULT '' NOT NULL,
	"answer_time" timestamp with time zone,
	"task_id" uuid
);
--> statement-breakpoint
CREATE UNIQUE INDEX "control_approval_waiting" ON "control_approval" USING btree ("asker_id","project_id") WHERE "control_approval"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "control_approval_time" ON "control_approval" USING btree ("create_time");