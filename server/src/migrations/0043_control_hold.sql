CREATE TABLE "control_hold" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" integer NOT NULL,
	"task_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"until" timestamp with time zone,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"end_by" text,
	"end_time" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "control_hold_open" ON "control_hold" USING btree ("project_id","task_id") WHERE "control_hold"."end_time" is null;