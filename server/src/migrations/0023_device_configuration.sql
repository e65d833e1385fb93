CREATE TABLE "communication_protocol" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"code" text NOT NULL,
	"transport" text NOT NULL,
	"nodes" text[] NOT NULL,
	"protocol_version" text NOT NULL,
	"parameters" jsonb NOT NULL,
	"document" text NOT NULL,
	"description" text NOT NULL,
	"status" text NOT NULL,
	"builtin" boolean NOT NULL,
	CONSTRAINT "communication_protocol_name_unique" UNIQUE("name"),
	CONSTRAINT "communication_protocol_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "control_type" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"code" text NOT NULL,
	"capability" text NOT NULL,
	"functions" text[] NOT NULL,
	"widget" text NOT NULL,
	"description" text NOT NULL,
	"status" text NOT NULL,
	CONSTRAINT "control_type_name_unique" UNIQUE("name"),
	CONSTRAINT "control_type_code_unique" UNIQUE("code")
);
